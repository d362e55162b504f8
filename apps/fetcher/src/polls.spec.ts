import { beforeEach, expect, jest, test } from '@jest/globals';
import { createMemoryHttp, createMemoryQueue, createMemoryStore, sampleCollection } from '#in-memory';
import type { MemoryHttp } from '#in-memory';
import { collectionKey, subscriptionId, UnavailableError } from '#core';
import type { Store, Subscription } from '#core';
import { LeftFetches } from './left-fetches.ts';
import { Polls } from './polls.ts';
import { ReadingPlaces } from './reading-places.ts';
import { usualFetch } from '../../../test/support/fetch-settings.ts';

const todo = collectionKey('todo');
const now = new Date('2026-03-01T00:00:00Z');
let store: Store;
let http: MemoryHttp;
let faults: unknown[];
/** Ends the pauses that polls take. */
let pauses: (() => void)[];

const clock = {
  now: () => now,
  wait: (): Promise<void> => new Promise((resolve) => void pauses.push(resolve)),
};

beforeEach(async () => {
  faults = [];
  pauses = [];
  store = createMemoryStore({ clock });
  http = createMemoryHttp();
  await store.collections.create(
    sampleCollection({
      key: todo,
      createdAt: now,
      settings: { windowItems: 10, expiresAfter: 3600 },
    }),
  );
});

/** Subscribes to so many feeds, which answer as given. */
async function subscribe(
  count: number,
  answer: () => Promise<{ status: number; body?: string }>,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const url = `http://${index}.example/feed`;
    http.serve(url, answer);
    await store.subscriptions.put({
      collection: todo,
      id: subscriptionId(`s-${index}`),
      url,
      status: 'active',
      interval: { minimum: 60, maximum: 3600 },
      cursor: { etag: '"1"' },
      cursorVersion: 1,
      nextFetchAt: now,
      nextFetchReason: 'it is due',
      failures: 0,
      createdAt: now,
    });
  }
}

function open(polls: number, reading?: ReadingPlaces, left?: LeftFetches): Polls {
  let identifiers = 0;
  const random = { fraction: () => 0, identifier: () => `id${(identifiers += 1)}` };
  const queue = createMemoryQueue();
  const ports = { store, http, clock, random, queue, ...(reading && { reading }), ...(left && { left }) };
  return new Polls(ports, { ...usualFetch, polls }, (_, error) => void faults.push(error));
}

const list = (): Promise<Subscription[]> => store.subscriptions.list(todo, { limit: 100 });
const inFlight = async (): Promise<number> =>
  (await list()).filter(({ manifest }) => manifest !== undefined).length;

/** Lets everything go on that waits for nothing but the event loop. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}

test('as many are in flight as there are places; more are leased as soon as one is free', async () => {
  const answers: (() => void)[] = [];
  await subscribe(5, () => new Promise((resolve) => answers.push(() => resolve({ status: 304 }))));
  const leaseDue = jest.spyOn(store.subscriptions, 'leaseDue');
  const polls = open(3);
  await polls.look();
  await rest();
  expect([await inFlight(), answers.length]).toEqual([3, 3]);
  await polls.look();
  expect(await inFlight()).toBe(3);
  expect(leaseDue).toHaveBeenCalledTimes(1);
  for (const answer of answers.splice(0)) answer();
  await rest();
  expect(await inFlight()).toBe(0);
  // Nobody has called for a look.
  for (const end of pauses.splice(0)) end();
  await rest();
  expect(await inFlight()).toBe(2);
  for (const answer of answers.splice(0)) answer();
  await polls.idle();
  expect((await list()).map(({ last }) => last?.outcome)).toEqual(Array(5).fill('not-modified'));
  expect(faults).toEqual([]);
});

test('while few places are free, several pauses pass before the store is asked again', async () => {
  const answers: (() => void)[] = [];
  await subscribe(12, () => new Promise((resolve) => answers.push(() => resolve({ status: 304 }))));
  const polls = open(8);
  await polls.look();
  await rest();
  let looks = 0;
  const leaseDue = store.subscriptions.leaseDue.bind(store.subscriptions);
  store.subscriptions.leaseDue = (...terms) => {
    looks += 1;
    return leaseDue(...terms);
  };
  const endPause = async (): Promise<number> => {
    for (const end of pauses.splice(0)) end();
    await rest();
    return looks;
  };
  answers.shift()?.();
  await rest();
  const counts = [];
  for (let pause = 0; pause < 5; pause += 1) counts.push(await endPause());
  expect(counts).toEqual([0, 0, 0, 0, 1]);
  // A quarter of the places is reason enough.
  for (const answer of answers.splice(0, 2)) answer();
  await rest();
  expect(await endPause()).toBe(2);
  while (answers.length > 0) {
    for (const answer of answers.splice(0)) answer();
    await rest();
    await endPause();
  }
  await polls.idle();
  expect(faults).toEqual([]);
});

test('what was leased while the service ends is released, and nothing is leased after that', async () => {
  await subscribe(2, async () => ({ status: 304 }));
  const before = await list();
  const polls = open(3);
  const leaseDue = jest.spyOn(store.subscriptions, 'leaseDue');
  const look = polls.look();
  polls.end();
  await look;
  await polls.idle();
  await polls.look();
  expect(await list()).toEqual(before);
  expect(leaseDue).toHaveBeenCalledTimes(1);
});

test('a fetch from which MongoDB goes away begins again when it comes back', async () => {
  await subscribe(1, async () => ({ status: 304 }));
  const away = new UnavailableError('MongoDB', 'no primary', 'unknown');
  const writes = (['complete', 'completeAll', 'releaseAll'] as const).map((name) =>
    jest.spyOn(store.subscriptions, name).mockRejectedValue(away),
  );
  const polls = open(3, undefined, new LeftFetches());
  await polls.look();
  await polls.idle();
  expect(await inFlight()).toBe(1);
  await expect(polls.look()).rejects.toThrow(UnavailableError);
  for (const write of writes) write.mockRestore();
  await polls.look();
  await polls.idle();
  expect((await list()).map(({ last }) => last?.outcome)).toEqual(['not-modified']);
  expect(faults).toHaveLength(1);
});

test('a body waits for a place among those that are read', async () => {
  await subscribe(2, async () => ({ status: 200, body: '<feed xmlns="http://www.w3.org/2005/Atom"/>' }));
  const reading = new ReadingPlaces(1, clock);
  const leave = await reading.take(async () => {});
  const polls = open(3, reading);
  await polls.look();
  await rest();
  const read = async (): Promise<number> =>
    (await store.subscriptions.list(todo, { limit: 10 })).filter(({ last }) => last?.outcome === 'fetched')
      .length;
  expect(await read()).toBe(0);
  leave();
  await polls.idle();
  expect(await read()).toBe(2);
});
