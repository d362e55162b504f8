import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryQueue, createMemoryStore, sampleCollection, sampleSubscription } from '#in-memory';
import type { MemoryQueue } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import type { Collection, Store } from '#core';
import { completeFetch } from './complete-fetch.ts';

const key = collectionKey('todo');
const peer = subscriptionId('peer');
const now = new Date('2026-03-01T00:00:00Z');
const clock = { now: () => now, wait: async () => {} };
const result = {
  report: { at: now, outcome: 'fetched' as const },
  cursor: { etag: '"2"' },
  nextFetchAt: now,
  nextFetchReason: 'a test',
};

let store: Store;
let queue: MemoryQueue;

beforeEach(() => {
  store = createMemoryStore({ clock });
  queue = createMemoryQueue();
});

/** Completes a fetch of a collection, and returns what readers and a publisher find then. */
async function complete(collection: Collection, manifest = 'm') {
  await store.collections.create(collection);
  await store.subscriptions.put(
    sampleSubscription({ collection: key, id: peer, url: 'http://a.example/', createdAt: now }),
  );
  await store.subscriptions.lease(key, peer, 'm', 60_000);
  await completeFetch(
    { store, queue, clock },
    collection,
    { collection: key, id: peer, manifest, result },
    { id: manifest, collection: key, subscription: peer, type: 'fetched', at: now },
  );
  const events = await store.changes.read(key, 0, 10);
  return {
    etag: (await store.subscriptions.find(key, peer))?.cursor.etag,
    events: events.map(({ type, subject }) => [type, subject]),
    pending: (await store.notices.pending(key, 10)).map(({ id }) => id),
  };
}

const published = [['feedmesh.subscription.fetched.v1', 'peer']];

test('the end of a fetch and its notice are one step', async () => {
  const ended = await complete(sampleCollection({ key }));
  expect(ended).toEqual({ etag: '"2"', events: published, pending: [] });
});

test('nothing is announced of a fetch that another one has taken over', async () => {
  expect(await complete(sampleCollection({ key }), 'another')).toEqual({
    etag: undefined,
    events: [],
    pending: [],
  });
});

test('it is composed again after each publication that was faster', async () => {
  const completePublished = store.subscriptions.completePublished.bind(store.subscriptions);
  let races = 3;
  store.subscriptions.completePublished = async (...how) =>
    (races -= 1) >= 0 ? 'raced' : completePublished(...how);
  expect(await complete(sampleCollection({ key }))).toEqual({ etag: '"2"', events: published, pending: [] });
});

test('the notice is left to a publisher if others are faster again and again', async () => {
  store.subscriptions.completePublished = async () => 'raced';
  expect(await complete(sampleCollection({ key }))).toEqual({ etag: '"2"', events: [], pending: ['m'] });
});

test('the notice is left to a publisher where every block needs a second of its own', async () => {
  const sse = sampleCollection({ key, protocol: 'sse', format: 'rss' });
  expect(await complete(sse)).toEqual({ etag: '"2"', events: [], pending: ['m'] });
});
