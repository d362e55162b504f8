import { beforeEach, expect, jest, test } from '@jest/globals';
import { createMemoryHttp, createMemoryQueue, createMemoryStore } from '#in-memory';
import { MemoryPollLeases, sampleCollection } from '#in-memory';
import type { MemoryHttp } from '#in-memory';
import { announcedReason, collectionKey, subscriptionId, UnavailableError } from '#core';
import type { Store, Subscription } from '#core';
import { LeftFetches } from './left-fetches.ts';
import { Polls } from './polls.ts';
import { ReadingPlaces } from './reading-places.ts';
import { usualFetch } from '../../../test/support/fetch-settings.ts';

const todo = collectionKey('todo');
const now = new Date('2026-03-01T00:00:00Z');
let store: Store;
let http: MemoryHttp;
let leases: MemoryPollLeases;
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
  leases = new MemoryPollLeases(clock);
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
  const ports = {
    store,
    http,
    clock,
    random,
    queue,
    polls: leases,
    ...(reading && { reading }),
    ...(left && { left }),
  };
  return new Polls(ports, { ...usualFetch, polls }, (_, error) => void faults.push(error));
}

const itemFeed =
  '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:a</id><title>A</title></entry></feed>';

const list = (): Promise<Subscription[]> => store.subscriptions.list(todo, { limit: 100 });
const inFlight = async (): Promise<number> => (await leases.list()).size;

/** Lets everything go on that waits for nothing but the event loop. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}

test('as many are in flight as there are places; more are taken as soon as one is free', async () => {
  const answers: (() => void)[] = [];
  await subscribe(5, () => new Promise((resolve) => answers.push(() => resolve({ status: 304 }))));
  const listDue = jest.spyOn(store.subscriptions, 'listDue');
  const polls = open(3);
  await polls.look();
  await rest();
  expect([await inFlight(), answers.length]).toEqual([3, 3]);
  await polls.look();
  expect(await inFlight()).toBe(3);
  expect(listDue).toHaveBeenCalledTimes(1);
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
  const listDue = store.subscriptions.listDue.bind(store.subscriptions);
  store.subscriptions.listDue = (...terms) => {
    looks += 1;
    return listDue(...terms);
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

test('what was taken while the service ends is released, and nothing is taken after that', async () => {
  await subscribe(2, async () => ({ status: 304 }));
  const before = await list();
  const polls = open(3);
  const listDue = jest.spyOn(store.subscriptions, 'listDue');
  const look = polls.look();
  polls.end();
  await look;
  await polls.idle();
  await polls.look();
  expect(await list()).toEqual(before);
  expect(await inFlight()).toBe(0);
  expect(listDue).toHaveBeenCalledTimes(1);
});

test('a fetch from which MongoDB goes away begins again when it comes back', async () => {
  let status = 200;
  await subscribe(1, async () => ({ status, body: itemFeed }));
  const away = new UnavailableError('MongoDB', 'no primary', 'unknown');
  const lease = store.subscriptions.lease.bind(store.subscriptions);
  const writes = [
    jest.spyOn(store.subscriptions, 'lease').mockImplementation(async (...how) => {
      await lease(...how);
      throw away;
    }),
    jest.spyOn(store.subscriptions, 'releaseAll').mockRejectedValue(away),
  ];
  const polls = open(3, undefined, new LeftFetches());
  await polls.look();
  await polls.idle();
  expect((await list()).map(({ manifest }) => manifest)).toEqual(['id1']);
  await expect(polls.look()).rejects.toThrow(UnavailableError);
  for (const write of writes) write.mockRestore();
  status = 304;
  await polls.look();
  await polls.idle();
  expect((await list()).map(({ last }) => last?.outcome)).toEqual(['not-modified']);
  expect(faults).toHaveLength(1);
});

test('a poll that is answered by 304 takes no lease in the store, and one write', async () => {
  await subscribe(3, async () => ({ status: 304 }));
  const writes = (['lease', 'complete', 'releaseAll', 'renew'] as const).map((name) =>
    jest.spyOn(store.subscriptions, name),
  );
  const completeAll = jest.spyOn(store.subscriptions, 'completeAll');
  const polls = open(3);
  await polls.look();
  await polls.idle();
  for (const write of writes) expect(write).not.toHaveBeenCalled();
  expect(completeAll).toHaveBeenCalledTimes(3);
  expect((await list()).map(({ last }) => last?.outcome)).toEqual(Array(3).fill('not-modified'));
});

test('a poll for an announcement of a hub is seen as being fetched before its request', async () => {
  let manifest: string | undefined;
  await subscribe(1, async () => {
    manifest = (await list())[0]?.manifest;
    return { status: 304 };
  });
  const id = subscriptionId('s-0');
  await store.subscriptions.refresh(todo, id, { nextFetchAt: now, nextFetchReason: announcedReason }, false);
  const polls = open(3);
  await polls.look();
  await polls.idle();
  expect(manifest).toBe('id1');
  const [ended] = await list();
  expect(ended?.last?.outcome).toBe('not-modified');
  expect(ended?.manifest).toBeUndefined();
});

test('a poll is lost if the subscription has got another address meanwhile', async () => {
  let answer = (): void => {};
  await subscribe(
    1,
    () => new Promise((resolve) => (answer = () => resolve({ status: 200, body: itemFeed }))),
  );
  const polls = open(3);
  await polls.look();
  await rest();
  const [given] = await list();
  if (given === undefined) throw new Error('there is no subscription');
  const { subscription } = await store.subscriptions.put({ ...given, url: 'http://other.example/feed' });
  answer();
  await polls.idle();
  expect(await list()).toEqual([subscription]);
  expect(await store.manifests.find(todo, 'id1')).toBeUndefined();
  expect(faults).toEqual([]);
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
