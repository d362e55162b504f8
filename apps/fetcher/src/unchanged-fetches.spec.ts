import { expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import type { Completion, Store } from '#core';
import { createMemoryStore } from '#in-memory';
import { UnchangedFetches } from './unchanged-fetches.ts';

const at = new Date('2026-03-01T00:00:00Z');

const completion = (id: number): Completion => ({
  collection: collectionKey('todo'),
  id: subscriptionId(`s-${id}`),
  manifest: 'm',
  result: { report: { at, outcome: 'not-modified' }, nextFetchAt: at, nextFetchReason: 'later' },
});

/** A recorder whose pauses end when a test says so, and the sizes of its writes. */
function recorder(fails = (): boolean => false) {
  const writes: number[] = [];
  const pauses: (() => void)[] = [];
  const subscriptions: Store['subscriptions'] = createMemoryStore({ clock: { now: () => at } }).subscriptions;
  subscriptions.completeAll = async (completions) => {
    writes.push(completions.length);
    if (fails()) throw new Error('MongoDB is away');
    return completions.length;
  };
  const wait = (): Promise<void> => new Promise((resolve) => void pauses.push(resolve));
  return { unchanged: new UnchangedFetches({ store: { subscriptions }, clock: { wait } }), writes, pauses };
}

test('what ends within the pause is recorded in one write, what comes later in the next', async () => {
  const { unchanged, writes, pauses } = recorder();
  const first = [1, 2, 3].map((id) => unchanged.record(completion(id)));
  expect(writes).toEqual([]);
  pauses[0]?.();
  await Promise.all(first);
  const second = unchanged.record(completion(4));
  pauses[1]?.();
  await second;
  expect(writes).toEqual([3, 1]);
});

test('200 are written without waiting for the pause', async () => {
  const { unchanged, writes, pauses } = recorder();
  const records = Array.from({ length: 201 }, (_, id) => unchanged.record(completion(id)));
  await Promise.all(records.slice(0, 200));
  expect(writes).toEqual([200]);
  for (const end of pauses) end();
  await records[200];
  expect(writes).toEqual([200, 1]);
});

test('a write that fails says so to those in it, and to no others', async () => {
  const { unchanged, writes, pauses } = recorder(() => writes.length === 1);
  const first = [1, 2].map((id) => unchanged.record(completion(id)));
  pauses[0]?.();
  const failure = { status: 'rejected', reason: new Error('MongoDB is away') };
  expect(await Promise.allSettled(first)).toEqual([failure, failure]);
  const second = unchanged.record(completion(3));
  pauses[1]?.();
  await second;
  expect(writes).toEqual([2, 1]);
});
