import { feedsyncDialect } from '#feedsync';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ResolutionModules } from '#protocol';
import { createMemoryQueue, sampleCollection, sampleSubscription } from '#in-memory';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { CollectionSettings, Store } from '#core';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { failing } from '../../../test/support/failing.ts';
import { replaced } from '../../../test/support/replaced.ts';
import { mergeBatch } from './merge-batch.ts';
import mongoose from 'mongoose';
import { fragmentsOf } from '../../../test/support/fragments-of.ts';

const todo = collectionKey('todo');
const peer = subscriptionId('peer');

const now = (): Date => new Date('2026-02-01T00:00:00Z');
let uri: string;
let store: OpenStore;

beforeEach(async () => {
  const address = new URL(process.env['MONGODB_URI'] ?? '');
  address.pathname = `/feedmesh-test-${randomBytes(8).toString('hex')}`;
  uri = address.href;
  store = await openStore({ uri });
});
afterEach(async () => {
  await store.close();
  const connection = await mongoose.createConnection(uri).asPromise();
  await connection.dropDatabase();
  await connection.close();
});

/**
 * Merges entries by these endpoints, all of them versions of one item, as the only batch of the manifest
 * `m1`.
 * @param inFlight the manifest that the subscription is in progress with
 * @param mergerStore the store as the merger has it, if not the real one
 */
async function merge(
  endpoints: readonly string[],
  settings: Partial<CollectionSettings> = {},
  modules?: ResolutionModules,
  inFlight = 'm1',
  mergerStore: Store = store,
) {
  await store.collections.create(
    sampleCollection({
      key: todo,
      createdAt: now(),
      settings,
    }),
  );
  await store.subscriptions.put(
    sampleSubscription({
      collection: todo,
      id: peer,
      url: 'http://there.example/',
      interval: { minimum: 60, maximum: 60 },
      createdAt: now(),
    }),
  );
  await store.subscriptions.lease(todo, peer, inFlight, 60_000);
  await store.manifests.open({
    id: 'm1',
    collection: todo,
    subscription: peer,
    openedAt: now(),
    touchedAt: now(),
    done: [],
    rejected: 0,
  });
  const entries = endpoints.map(
    (by) =>
      `<entry><title>of ${by}</title><sx:sync id="milk" updates="${by === '' ? 0 : 1}">` +
      `<sx:history sequence="1" when="2026-01-01T00:00:00Z" by="${by}"/></sx:sync></entry>`,
  );
  const fragments = fragmentsOf(
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">' +
      `\n${entries.join('\n')}\n</feed>`,
    feedsyncDialect,
  );
  const queue = createMemoryQueue({ fraction: () => 0.5, lose: 0, repeat: 0 });
  const clock = { now, wait: async () => {} };
  const ports = { store: mergerStore, queue, clock, publicUrl: 'http://here.example' };
  const job = {
    version: 1,
    collection: collectionKey('todo'),
    subscription: subscriptionId('peer'),
    manifest: 'm1',
    batch: 0,
  } as const;
  await mergeBatch({ ...ports, ...(modules && { modules }) }, { ...job, fragments });
  const manifest = await store.manifests.find(todo, 'm1');
  return { manifest, item: (await store.items.load(todo, [itemId('milk')])).get(itemId('milk')) };
}

test('a batch reports to its manifest what was rejected and what breaks a rule', async () => {
  const { manifest, item } = await merge(['a', '', 'b']);
  expect(item).toMatchObject({
    conflictCount: 1,
    sources: [{ subscription: subscriptionId('peer'), fetchPass: 'm1.feed' }],
  });
  expect(manifest).toMatchObject({
    done: [0],
    rejected: 1,
    violations: [{ rule: 'repeated-item-conflict', severity: 'warning', line: 4, column: 1 }],
  });
});

test('a batch of a fetch that is over is dropped', async () => {
  const { manifest, item } = await merge(['a'], {}, undefined, 'm2');
  expect(item).toBeUndefined();
  expect(manifest).toMatchObject({ done: [] });
});

test('a batch that is held up until another fetch has begun leaves the marks of that one alone', async () => {
  const { item: former } = await merge(['a']);
  const items = replaced(store.items, 'compareAndSet', async (writes) => {
    const next = { nextFetchAt: now(), nextFetchReason: 'a test asks' };
    await store.subscriptions.releaseAll([{ collection: todo, id: peer, manifest: 'm1', next }]);
    await store.subscriptions.lease(todo, peer, 'm2', 60_000);
    const mark = { subscription: peer, digest: former?.sources[0]?.digest ?? '', fetchPass: 'm2.feed' };
    await store.items.remember(todo, [{ id: itemId('milk'), ...mark }]);
    return store.items.compareAndSet(writes);
  });
  const { item } = await merge(['b'], {}, undefined, 'm1', { ...store, items });
  expect(item).toMatchObject({ revision: former?.revision, sources: [{ fetchPass: 'm2.feed' }] });
});

test.each([
  ['was removed', undefined],
  ['is a tree of feeds', sampleCollection({ key: todo, protocol: 'cse', format: 'rss', createdAt: now() })],
])('a batch of a collection that %s is dropped, also with a subscription to it', async (_, found) => {
  const collections = replaced(store.collections, 'find', async () => found);
  const { manifest, item } = await merge(['a'], {}, undefined, 'm1', { ...store, collections });
  expect(item).toBeUndefined();
  expect(manifest).toMatchObject({ done: [] });
});

test.each([
  ['items', 'load', 'before'],
  ['items', 'compareAndSet', 'before'],
  ['items', 'compareAndSet', 'after'],
  ['deadLetters', 'add', 'before'],
  ['deadLetters', 'add', 'after'],
] as const)('a batch that fails at %s.%s (%s) is not done until repeated', async (port, method, moment) => {
  const faulty = { ...store, [port]: failing<object>(store[port], method as never, moment) };
  await expect(merge(['a', '', 'b'], {}, undefined, 'm1', faulty)).rejects.toThrow(
    'MongoDB is not available',
  );
  expect(await store.manifests.find(todo, 'm1')).toMatchObject({ done: [], rejected: 0 });
  const { manifest, item } = await merge(['a', '', 'b']);
  expect(item).toMatchObject({ revision: 1, conflictCount: 1 });
  expect(manifest).toMatchObject({ done: [0], rejected: 1 });
  expect(await store.deadLetters.list({ limit: 10 })).toHaveLength(1);
});

test('a batch without a violation leaves none in its manifest', async () => {
  const { manifest } = await merge(['a']);
  expect(manifest).toMatchObject({ done: [0], rejected: 0 });
  expect(manifest?.violations ?? []).toEqual([]);
});

test('a collection that names a module has its conflicts resolved by it; the version says so', async () => {
  const modules = new Map([['mine', { digest: 'f'.repeat(64), choose: () => 1 }]]);
  const { item } = await merge(['a', 'b'], { resolution: { policy: 'module', module: 'mine' } }, modules);
  expect(item).toMatchObject({
    conflictCount: 0,
    version: { updates: 2, resolution: { policy: 'module mine', conflicts: 1 } },
  });
  expect(item?.content.data.children[0]?.xml).toContain('of a');
});
