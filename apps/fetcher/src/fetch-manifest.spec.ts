import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryHttp, createMemoryQueue, createMemoryStore, sampleCollection } from '#in-memory';
import type { MemoryHttp } from '#in-memory';
import { collectionKey, FetchError, subscriptionId } from '#core';
import type { JobQueue, Manifest, Store, Subscription } from '#core';
import { fetchSubscription } from './fetch-subscription.ts';
import { usualFetch } from '../../../test/support/fetch-settings.ts';

const todo = collectionKey('todo');
const peer = subscriptionId('peer');
const url = 'http://a.example/feed';
const now = new Date('2026-03-01T00:00:00Z');
const clock = { now: () => now, wait: async () => {} };

let store: Store;
let http: MemoryHttp;
let opened: Manifest[];

beforeEach(async () => {
  clock.now = () => now;
  store = createMemoryStore({ clock });
  http = createMemoryHttp();
  opened = [];
  const open = store.manifests.open.bind(store.manifests);
  store.manifests.open = async (manifest) => {
    opened.push(manifest);
    await open(manifest);
  };
  await store.collections.create(
    sampleCollection({
      key: todo,
      createdAt: now,
      settings: { windowItems: 10, expiresAfter: 3600 },
    }),
  );
  await store.subscriptions.put({
    collection: todo,
    id: peer,
    url,
    status: 'active',
    interval: { minimum: 60, maximum: 3600 },
    cursor: { etag: '"1"' },
    cursorVersion: 1,
    nextFetchAt: now,
    nextFetchReason: 'it is due',
    failures: 1,
    createdAt: now,
  });
});

/** Fetches the subscription; returns what it is then. */
async function fetch(queue: JobQueue = createMemoryQueue()) {
  const random = { fraction: () => 0, identifier: () => 'm' };
  await fetchSubscription({ store, queue, http, clock, random }, usualFetch, {
    version: 1,
    collection: todo,
    subscription: peer,
  });
  return store.subscriptions.find(todo, peer);
}

test('a feed that is unchanged is recorded without a manifest', async () => {
  http.serve(url, () => ({ status: 304 }));
  expect(await fetch()).toMatchObject({ failures: 0, cursorVersion: 1, last: { outcome: 'not-modified' } });
  expect(opened).toEqual([]);
});

test('a fetch that fails before its first batch opens none', async () => {
  http.serve(url, () => {
    throw new FetchError('http-status', 'the server responded with 500', { status: 500 });
  });
  expect(await fetch()).toMatchObject({ failures: 2, last: { outcome: 'failed' } });
  http.serve(url, () => ({ status: 200, body: '<feed xmlns="http://www.w3.org/2005/Atom"><title>' }));
  await store.subscriptions.refresh(todo, peer, { nextFetchAt: now, nextFetchReason: 'a test asks' }, false);
  expect(await fetch()).toMatchObject({ failures: 3, last: { outcome: 'failed' } });
  expect(opened).toEqual([]);
});

const feed = (content = ''): string => `<feed xmlns="http://www.w3.org/2005/Atom">${content}</feed>`;

test('a feed that brings nothing to merge moves its cursor without one', async () => {
  http.serve(url, () => ({
    status: 200,
    headers: { etag: '"2"' },
    body: feed('<title>Peer</title>'),
  }));
  const fetched = await fetch();
  expect(fetched).toMatchObject({
    cursor: { etag: '"2"' },
    cursorVersion: 2,
    failures: 0,
    feed: { title: 'Peer' },
    last: { outcome: 'fetched', items: 0, rejected: 0 },
  });
  expect(fetched?.manifest).toBeUndefined();
  expect(opened).toEqual([]);
});

test('a head that says what it said before counts as no change of the subscription', async () => {
  const revision = async () => (await store.collections.find(todo))?.subscriptionsRevision;
  const refetch = async (content: string): Promise<void> => {
    http.serve(url, () => ({ status: 200, body: feed(content) }));
    await store.subscriptions.refresh(todo, peer, { nextFetchAt: now, nextFetchReason: 'a test' }, false);
    await fetch();
  };
  await refetch('<title>Peer</title>');
  const first = await revision();
  await refetch('<title>Peer</title><!-- other bytes -->');
  expect(await revision()).toBe(first);
  await refetch('<title>Another</title>');
  expect(await revision()).toBe((first ?? 0) + 1);
});

test('in a collection with an order a feed without items opens one', async () => {
  await store.collections.update(todo, {
    title: 'To do',
    settings: { windowItems: 10, expiresAfter: 3600, cleanUpHistory: false, ordered: true },
  });
  http.serve(url, () => ({ status: 200, body: feed() }));
  expect(await fetch()).toMatchObject({ manifest: 'm', cursor: { etag: '"1"' } });
  expect(opened).toEqual([
    { id: 'm', collection: todo, subscription: peer, openedAt: now, touchedAt: now, done: [], rejected: 0 },
  ]);
  expect(await store.manifests.find(todo, 'm')).toMatchObject({ seal: { batches: 0 } });
});

/** An Atom feed with so many items of FeedSync. */
const itemFeed = (items: number): string =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">${Array.from(
    { length: items },
    (_, index) =>
      `<entry><title>${index}</title><sx:sync id="i${index}" updates="1">` +
      '<sx:history sequence="1" by="a"/></sx:sync></entry>',
  ).join('')}</feed>`;

test('a feed of one batch opens none: its lease has the seal before its job is sent', async () => {
  http.serve(url, () => ({ status: 200, body: itemFeed(3) }));
  const queue = createMemoryQueue();
  let leased: Subscription | undefined;
  const send = async (jobs: Parameters<typeof queue.send>[0]): Promise<void> => {
    leased = await store.subscriptions.find(todo, peer);
    await queue.send(jobs);
  };
  await fetch({ ...queue, backlog: (name) => queue.backlog(name), send });
  const seal = { batches: 1, items: 3, known: 0, nextFetchAt: expect.any(Date) };
  expect(leased).toMatchObject({ manifest: 'm', cursor: { etag: '"1"' }, seal });
  expect(opened).toEqual([]);
});

test('a feed of several batches opens it before the first, and seals it after the last', async () => {
  http.serve(url, () => ({ status: 200, body: itemFeed(101) }));
  expect(await fetch()).toMatchObject({ manifest: 'm' });
  expect(opened).toMatchObject([{ id: 'm', done: [] }]);
  expect(opened[0]?.seal).toBeUndefined();
  expect(await store.manifests.find(todo, 'm')).toMatchObject({ seal: { batches: 2, items: 101 } });
});

test('one whose only job could not be sent is due when its lease runs out', async () => {
  http.serve(url, () => ({ status: 200, body: itemFeed(1) }));
  await expect(
    fetch({
      ...createMemoryQueue(),
      backlog: async () => 0,
      send: async () => {
        throw new Error('Redis is away');
      },
    }),
  ).rejects.toThrow('Redis is away');
  expect(await store.subscriptions.find(todo, peer)).toMatchObject({
    manifest: 'm',
    cursor: { etag: '"1"' },
  });
  const later = new Date(now.getTime() + usualFetch.lease + 1);
  clock.now = () => later;
  expect(await store.subscriptions.findDue(todo, peer, later)).toBeDefined();
});
