import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryHttp, createMemoryQueue, createMemoryStore } from '#in-memory';
import { MemoryPollLeases, sampleCollection, sampleSubscription } from '#in-memory';
import { collectionKey, pollKey, subscriptionId } from '#core';
import type { Store } from '#core';
import { Hosts } from './hosts/hosts.ts';
import { SlowPlaces } from './slow/slow-places.ts';
import { fetchDue, takeDue } from './take-due.ts';
import { usualFetch } from '../../../test/support/fetch-settings.ts';

const todo = collectionKey('todo');
const begin = Date.parse('2026-03-01T00:00:00Z');
let time: number;
const clock = { now: () => new Date(time), wait: () => Promise.resolve() };
let identifiers = 0;
const random = { fraction: () => 0, identifier: () => `m-${(identifiers += 1)}` };
let store: Store;
let polls: MemoryPollLeases;

beforeEach(() => {
  time = begin;
  store = createMemoryStore({ clock });
  polls = new MemoryPollLeases(clock);
});

const ports = () => ({
  store,
  queue: createMemoryQueue(),
  http: createMemoryHttp(),
  clock,
  random,
  polls,
});

async function subscribe(id: string, url = `http://${id}.example/feed`, collection = todo, at = begin) {
  const createdAt = new Date(at);
  await store.subscriptions.put(sampleSubscription({ collection, id: subscriptionId(id), url, createdAt }));
}

async function taken(more = {}, limit = 100): Promise<unknown[]> {
  const { subscriptions, isMore } = await takeDue({ ...ports(), ...more }, usualFetch, limit);
  return [...subscriptions.map(({ id }) => id).toSorted(), ...(isMore ? ['more'] : [])];
}

test('what is due is taken once, and not what is leased in the store', async () => {
  for (const id of ['a', 'b', 'leased']) await subscribe(id);
  await subscribe('later', undefined, todo, begin + 1);
  await store.subscriptions.lease(todo, subscriptionId('leased'), 'm', 60_000);
  expect(await taken()).toEqual(['a', 'b']);
  expect(await taken()).toEqual([]);
  expect((await store.subscriptions.find(todo, subscriptionId('a')))?.manifest).toBeUndefined();
});

test('of several fetchers at once each takes others, none above its limit', async () => {
  for (let index = 0; index < 40; index += 1) await subscribe(`s-${index}`);
  const all: unknown[] = [];
  const takeAll = async (): Promise<void> => {
    for (let isMore = true; isMore;) {
      const found = await takeDue(ports(), usualFetch, 7);
      expect(found.subscriptions.length).toBeLessThanOrEqual(7);
      all.push(...found.subscriptions.map(({ id }) => id));
      ({ isMore } = found);
    }
  };
  await Promise.all([takeAll(), takeAll(), takeAll()]);
  expect(all).toHaveLength(40);
  expect(new Set(all).size).toBe(40);
});

test('what is being fetched hides nothing that is due behind it', async () => {
  for (let index = 0; index < 250; index += 1) await subscribe(`s-${index}`);
  await subscribe('behind', undefined, todo, begin + 1);
  time += 1;
  for (const expected of [100, 100, 50]) {
    const { subscriptions } = await takeDue(ports(), usualFetch, 100);
    expect(subscriptions.filter(({ id }) => id !== 'behind')).toHaveLength(expected);
  }
  expect((await polls.list()).has(pollKey({ collection: todo, id: subscriptionId('behind') }))).toBe(true);
});

test('of each host no more is taken than it has slots for', async () => {
  for (const host of ['a', 'b', 'c'])
    for (const id of ['1', '2', '3']) await subscribe(`${host}${id}`, `http://${host}.example/${id}`);
  const limits = { connections: 2, failures: 3, pause: 1000, longestPause: 2000 };
  const hosts = new Hosts(limits, { clock, random, send: () => {}, paused: () => {} });
  hosts.take('b.example');
  for (const slot of [hosts.take('c.example'), hosts.take('c.example')]) expect(slot).toBeDefined();
  const found = await taken({ hosts });
  expect(found.map((id) => String(id).slice(0, 1))).toEqual(['a', 'a', 'b', 'm']);
});

test('of the slow ones no more are taken than there are places for', async () => {
  for (const id of ['a', 'b', 'c']) await subscribe(id);
  for (const { collection, id, url } of await store.subscriptions.list(todo, { limit: 2 }))
    await store.subscriptions.noteSlow({ collection, id, url }, true);
  const slow = new SlowPlaces(1);
  const leave = slow.take();
  expect(await taken({ slow })).toEqual(['c']);
  leave?.();
  expect(await taken({ slow })).toEqual(['a', 'more']);
});

test('no collection keeps another one from its turn', async () => {
  for (let index = 0; index < 20; index += 1) await subscribe(`s-${index}`);
  const other = collectionKey('other');
  for (const id of ['one', 'two']) await subscribe(id, undefined, other, begin + 1);
  time += 1;
  const { subscriptions } = await takeDue(ports(), usualFetch, 4);
  expect(subscriptions.map((one) => one.collection).toSorted()).toEqual([other, other, todo, todo]);
});

test('what a fetcher had taken that died is due again once its lease has run out', async () => {
  await subscribe('a');
  expect(await taken()).toEqual(['a']);
  time += usualFetch.lease - 1;
  expect(await taken()).toEqual([]);
  time += 1;
  expect(await taken()).toEqual(['a']);
});

test('what another fetcher has fetched since the look is not fetched again, nor kept', async () => {
  await subscribe('a');
  const listDue = store.subscriptions.listDue.bind(store.subscriptions);
  store.subscriptions.listDue = async (...terms) => {
    const due = await listDue(...terms);
    await store.subscriptions.pause(todo, subscriptionId('a'));
    return due;
  };
  expect(await taken()).toEqual([]);
  expect([...(await polls.list())]).toEqual([]);
});

test('a feed is fetched although the leases of polls are lost', async () => {
  await store.collections.create(sampleCollection({ key: todo, createdAt: clock.now() }));
  await subscribe('a');
  await taken();
  polls.lose();
  const given = ports();
  const body = '<feed xmlns="http://www.w3.org/2005/Atom"/>';
  given.http.serve('http://a.example/feed', () => ({ status: 200, body }));
  await fetchDue(given, usualFetch, 10);
  expect((await store.subscriptions.find(todo, subscriptionId('a')))?.last?.outcome).toBe('fetched');
  expect([...(await polls.list())]).toEqual([]);
});
