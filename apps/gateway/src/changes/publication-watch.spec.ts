import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { publishItems } from '../../../../test/support/published-blocks.ts';
import { collectionKey, itemId } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { PublicationWatch } from './publication-watch.ts';

const news = collectionKey('news');

const now = (): Date => new Date('2026-02-01T00:00:00Z');

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A watch over one collection, `news`, of which nothing is published; looks happen with the (fake) time. */
async function watchOver() {
  const wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    });
  const store = createMemoryStore({ clock: { now } });
  await store.collections.create(
    sampleCollection({
      key: news,
      title: 'News',
      createdAt: now(),
    }),
  );
  const watch = new PublicationWatch({ store, clock: { now, wait } } as unknown as GatewayPorts);
  const answers: [string, boolean][] = [];
  const begin = (name: string, milliseconds: number, signal = new AbortController().signal): void => {
    void watch.newer(news, 0, milliseconds, signal).then((newer) => answers.push([name, newer]));
  };
  return { store, watch, answers, begin };
}

test('one look reads how far all collections are published that anybody waits for', async () => {
  const { store, watch, begin } = await watchOver();
  const looks: (readonly string[])[] = [];
  jest.spyOn(store.collections, 'sequences').mockImplementation(async (keys) => {
    looks.push(keys);
    return new Map([[news, 0]]);
  });
  begin('one', 25_000);
  begin('two', 25_000);
  void watch.newer(collectionKey('other'), 0, 25_000, new AbortController().signal);
  await jest.advanceTimersByTimeAsync(50);
  expect(looks).toEqual([['news', 'other']]);
  await jest.advanceTimersByTimeAsync(60_000);
  const before = looks.length;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(looks).toHaveLength(before);
});

test('each wait ends with its own time, and not a moment earlier', async () => {
  const { answers, begin } = await watchOver();
  begin('long', 25_000);
  begin('short', 1000);
  await jest.advanceTimersByTimeAsync(999);
  expect(answers).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(answers).toEqual([['short', false]]);
  await jest.advanceTimersByTimeAsync(23_999);
  expect(answers).toEqual([['short', false]]);
  await jest.advanceTimersByTimeAsync(1);
  expect(answers).toEqual([
    ['short', false],
    ['long', false],
  ]);
});

test('a publication ends every wait that is behind it', async () => {
  const { store, answers, begin } = await watchOver();
  begin('one', 25_000);
  begin('two', 25_000);
  await publishItems(
    store,
    news,
    [{ id: itemId('a'), sequence: 1, revision: 1, deleted: false, conflictCount: 0 }],
    new Date(),
  );
  // One look ends them all.
  await jest.advanceTimersByTimeAsync(250);
  expect(answers).toEqual([
    ['one', true],
    ['two', true],
  ]);
});

test('a publication between the read of a client and its wait ends the wait', async () => {
  const { store, answers, begin } = await watchOver();
  await publishItems(
    store,
    news,
    [{ id: itemId('a'), sequence: 1, revision: 1, deleted: false, conflictCount: 0 }],
    new Date(),
  );
  begin('one', 25_000);
  await jest.advanceTimersByTimeAsync(1000);
  expect(answers).toEqual([['one', true]]);
});

test('all waits end when the gateway does, and a client that leaves ends its own', async () => {
  const { watch, answers, begin } = await watchOver();
  const left = new AbortController();
  begin('stays', 3_600_000);
  begin('leaves', 3_600_000, left.signal);
  left.abort();
  await jest.advanceTimersByTimeAsync(0);
  expect(answers).toEqual([['leaves', false]]);
  watch.onModuleDestroy();
  await jest.advanceTimersByTimeAsync(0);
  expect(answers).toEqual([
    ['leaves', false],
    ['stays', false],
  ]);
  begin('late', 3_600_000);
  await jest.advanceTimersByTimeAsync(0);
  expect(answers.at(-1)).toEqual(['late', false]);
});
