import { sseDialect } from '#sse';
import { describe, expect, test } from '@jest/globals';
import { createMemoryQueue, createMemoryStore, sampleCollection, sampleSubscription } from '#in-memory';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { ManifestSeal, SubscriptionId } from '#core';
import { mergeBatch } from './merge-batch.ts';
import { finalizeManifest } from './finalize-manifest.ts';
import { fragmentsOf } from '../../../test/support/fragments-of.ts';

const reading = collectionKey('reading');
const one = subscriptionId('one');

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const outline = (id: string, by: string, children = ''): string =>
  `<outline text="${id}"><sx:sync id="${id}" version="${by.length}">` +
  `<sx:history when="0${by.length} Jan 2026 09:00:00 GMT" by="${by.at(-1)}"/>` +
  `</sx:sync>${children}</outline>`;

/** The store, with each call of a method recorded. */
function recording<Kept extends object>(kept: Kept, method: keyof Kept, calls: string[]): Kept {
  return new Proxy(kept, {
    get(target, name) {
      if (name === method) calls.push(String(name));
      return (Reflect.get(target, name) as () => unknown).bind(target);
    },
  });
}

/** An endpoint with a collection of outlines that two subscriptions bring. */
async function endpoint() {
  const collection = sampleCollection({
    key: reading,
    protocol: 'sse',
    format: 'opml',
    title: 'Reading',
    createdAt: now(),
  });
  const store = createMemoryStore({ clock: { now } });
  const ports = {
    store,
    queue: createMemoryQueue({ fraction: () => 0.5, lose: 0, repeat: 0 }),
    clock: { now, wait: async () => {} },
    publicUrl: 'http://here.example',
  };
  await store.collections.create(collection);
  for (const id of ['one', 'two'].map(subscriptionId)) {
    await store.subscriptions.put(
      sampleSubscription({
        collection: reading,
        id,
        url: `http://${id}.example/`,
        interval: { minimum: 60, maximum: 60 },
        createdAt: now(),
      }),
    );
  }
  return {
    store,
    ports,
    /** Merges a document as the only batch of a manifest, and seals that. */
    fetch: async (
      subscription: SubscriptionId,
      manifest: string,
      body: string,
      sealed: Partial<ManifestSeal> = {},
    ) => {
      await store.subscriptions.lease(reading, subscriptionId(subscription), manifest, 60_000);
      await store.manifests.open({
        id: manifest,
        collection: reading,
        subscription,
        openedAt: now(),
        touchedAt: now(),
        done: [],
        rejected: 0,
      });
      const document =
        '<opml version="1.0" xmlns:sx="https://www.microsoft.com/schemas/rss/sse"><head/>' +
        `<body>${body}</body></opml>`;
      const fragments = fragmentsOf(document, sseDialect);
      await mergeBatch(ports, {
        version: 1,
        collection: reading,
        subscription,
        manifest,
        batch: 0,
        fragments,
      });
      const seal = {
        cursor: { until: '2026-01-31T00:00:00Z' },
        batches: 1,
        items: fragments.length,
        known: 0,
        resynced: false,
        nextFetchAt: now(),
        nextFetchReason: 'later',
        ...sealed,
      };
      await store.manifests.seal(reading, manifest, seal, now());
    },
    finalize: (manifest: string) => finalizeManifest(ports, { version: 1, collection: reading, manifest }),
    items: async () =>
      (await store.items.list(reading, { limit: 100 })).map(({ id, position, conflictCount, revision }) => ({
        id,
        parent: position?.parent,
        isPlaced: position?.key !== undefined && position.after === undefined,
        conflictCount,
        revision,
      })),
    until: async (subscription: string) =>
      (await store.subscriptions.find(reading, subscriptionId(subscription)))?.cursor.until,
  };
}

describe('finalizing a fetch of an ordered collection (SSE 4.4.2)', () => {
  test('gives every item its place and breaks every cycle before the cursor moves', async () => {
    const { fetch, finalize, items, until, store, ports } = await endpoint();
    await fetch(one, 'm1', outline('a', 'x') + outline('b', 'x'));
    await finalize('m1');
    await fetch(one, 'm2', outline('a', 'x', outline('b', 'xy')));
    await fetch(subscriptionId('two'), 'm3', outline('b', 'x', outline('a', 'xz')));
    expect(await items()).toMatchObject([
      { id: 'a', parent: 'b', isPlaced: false },
      { id: 'b', parent: 'a', isPlaced: false },
    ]);
    const order: string[] = [];
    const { items: itemStore, subscriptions } = store;
    const recorded = {
      ...store,
      items: recording(itemStore, 'compareAndSet', order),
      subscriptions: recording(subscriptions, 'completeAll', order),
    };
    await finalizeManifest(
      { ...ports, store: recorded },
      { version: 1, collection: reading, manifest: 'm2' },
    );
    expect(order).toEqual(['compareAndSet', 'completeAll']);
    expect(await items()).toMatchObject([
      { id: 'a', parent: undefined, isPlaced: true, conflictCount: 1 },
      { id: 'b', parent: 'a', isPlaced: true, conflictCount: 0 },
    ]);
    expect(await until('one')).toBe('2026-01-31T00:00:00Z');
  });

  test('changes nothing a second time, nor for a fetch that is over', async () => {
    const { fetch, finalize, items, store, until } = await endpoint();
    await fetch(one, 'm1', outline('a', 'x') + outline('b', 'x'));
    await store.subscriptions.lease(reading, subscriptionId('two'), 'm2', 60_000);
    await finalize('m1');
    const finalized = await items();
    expect(finalized.map(({ revision }) => revision)).toEqual([2, 2]);
    await finalize('m1');
    await fetch(one, 'm3', outline('a', 'x'));
    await finalize('m3');
    expect(await items()).toEqual(finalized);
    expect(await until('two')).toBeUndefined();
  });

  test.each([
    ['was ended already', undefined],
    ['another one has taken the place of', 'm2'],
  ])('announces nothing of a fetch that %s, and forgets its manifest', async (_, another) => {
    const { fetch, finalize, store, until } = await endpoint();
    await fetch(one, 'm1', outline('a', 'x'));
    const next = { nextFetchAt: now(), nextFetchReason: 'again' };
    await store.subscriptions.releaseAll([{ collection: reading, id: one, manifest: 'm1', next }]);
    if (another !== undefined) await store.subscriptions.lease(reading, one, another, 60_000);
    const before = await store.subscriptions.find(reading, one);
    await finalize('m1');
    expect(await store.notices.pending(reading, 10)).toEqual([]);
    expect(await store.subscriptions.find(reading, one)).toEqual(before);
    expect(await until('one')).toBeUndefined();
    expect(await store.manifests.find(reading, 'm1')).toBeUndefined();
  });

  test('discards nothing that a resynced publisher no longer has, as SSE has no such rule', async () => {
    const { fetch, finalize, items, store } = await endpoint();
    await fetch(one, 'm1', outline('a', 'x') + outline('b', 'x'));
    await finalize('m1');
    await fetch(one, 'm2', outline('a', 'x'), { resynced: true });
    await finalize('m2');
    expect((await items()).map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await store.items.load(reading, [itemId('b')])).get(itemId('b'))?.sources).toHaveLength(1);
  });
});

test('a fetch whose items are more than the tenant may have fails, and nothing is discarded', async () => {
  const { store, ports, fetch } = await endpoint();
  await fetch(one, 'first', outline('a', 'x'));
  await store.manifests.seal(
    reading,
    'first',
    (await store.manifests.find(reading, 'first'))?.seal as ManifestSeal,
    now(),
  );
  await finalizeManifest(ports, { version: 1, collection: reading, manifest: 'first' });
  await fetch(one, 'second', outline('b', 'x'), { resynced: true });
  const exceeded = 'The tenant "acme" may have 2 items (its own limit) and has 2.';
  await store.manifests.done(reading, 'second', 1, { rejected: 0, exceeded }, now());
  const before = await store.subscriptions.find(reading, one);
  await finalizeManifest(ports, { version: 1, collection: reading, manifest: 'second' });
  const after = await store.subscriptions.find(reading, one);
  expect(after?.last).toMatchObject({
    outcome: 'failed',
    rule: 'tenant-limit',
    cause: 'tenant-limit',
    reason: exceeded,
  });
  expect(after?.cursor).toEqual(before?.cursor);
  expect([after?.failures, after?.nextFetchAt.getTime()]).toEqual([1, now().getTime() + 60_000]);
  expect(await store.items.load(reading, [itemId('a')])).toHaveProperty('size', 1);
  expect(await store.manifests.find(reading, 'second')).toBeUndefined();
});
