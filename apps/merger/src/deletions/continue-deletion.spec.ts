import { expect, test } from '@jest/globals';
import { readOutlineDocument } from '#xml';
import { createMemoryQueue, createMemoryStore, sampleCollection } from '#in-memory';
import { finish, collectionKey, EditError, itemId, UnavailableError } from '#core';
import type { Store } from '#core';
import { editItem, importOutline } from '#items';
import { sseDialect } from '#sse';
import { continueDeletion, reconcileDeletions } from './continue-deletion.ts';
import { replaced } from '../../../../test/support/replaced.ts';

const key = collectionKey('reading');
const size = 1200;
const settings = { lease: 60_000, keep: 1000 };
const job = { version: 1, collection: key, deletion: 'd' } as const;

/** A collection with a folder of many outlines, whose deletion is requested. */
async function endpoint(outlines = size) {
  const clock = {
    at: Date.parse('2026-02-01T00:00:00Z'),
    now: () => new Date(clock.at),
    wait: async () => {},
  };
  const store = createMemoryStore({ clock });
  const collection = sampleCollection({
    key,
    protocol: 'sse',
    format: 'opml',
    title: 'Reading',
    createdAt: clock.now(),
  });
  await store.collections.create(collection);
  let holders = 0;
  const ports = {
    store,
    queue: createMemoryQueue({ fraction: () => 0.5, lose: 0, repeat: 0 }),
    clock,
    random: { fraction: () => 0.5, identifier: () => `holder-${(holders += 1)}` },
    publicUrl: 'http://here.example',
  };
  const editPorts = { store, now: () => clock.now(), publicUrl: ports.publicUrl };
  const inside = (count: number): string => '<outline text="one"/>'.repeat(count);
  const deep = Math.min(10, outlines - 1);
  const inner = `<outline text="Deep">${inside(deep)}</outline>${inside(outlines - 1 - deep)}`;
  const folder = `<outline text="Folder">${inner}</outline>`;
  const xml = `<opml version="1.0"><head/><body>${folder}</body></opml>`;
  const importPorts = { ...editPorts, identifier: ports.random.identifier };
  const document = finish(readOutlineDocument(xml, { synchronisation: sseDialect.namespaces }));
  await importOutline(importPorts, collection, document, { mode: 'add' });
  const root = (await store.items.placesBelow(key, '', {}))[0]?.id ?? itemId('');
  const actor = { kind: 'key', id: '3f7a' };
  const progress = { requestedAt: clock.now(), done: 0, total: 0 };
  const requested = { collection: key, id: 'd', item: root, actor, ...progress };
  await store.branchDeletions.add(requested, settings.lease);
  const remove = () => editItem(editPorts, collection, root, { action: 'delete' });
  const live = async () =>
    (await store.items.list(key, { limit: 10_000, deleted: false })).map(({ id }) => String(id));
  return { clock, store, ports, root, remove, live };
}

/** The same store, where something else happens in place of each write after so many. */
function interrupted(store: Store, writes: number, event: () => Promise<never>): Store {
  let left = writes;
  const items = replaced(store.items, 'compareAndSet', (written) => {
    left -= 1;
    return left < 0 ? event() : store.items.compareAndSet(written);
  });
  return { ...store, items };
}

test('everything below the item is deleted, published as it goes, and counted', async () => {
  const { store, ports, remove, live } = await endpoint();
  await remove();
  await continueDeletion(ports, settings, job);
  expect(await live()).toEqual([]);
  expect(await store.branchDeletions.find(key, 'd')).toMatchObject({
    done: size,
    total: size,
    endedAt: ports.clock.now(),
  });
  const items = await store.items.list(key, { limit: 10_000 });
  expect(new Set(items.map(({ revision }) => revision))).toEqual(new Set([2]));
  // The item itself was deleted before, by nobody who is known.
  expect(items.filter(({ actor }) => actor?.id === '3f7a')).toHaveLength(size);
  expect(await ports.queue.backlog('publish')).toBeGreaterThan(0);
});

test('a deletion whose worker dies is found once its lease has run out, and goes on', async () => {
  const { store, ports, clock, remove, live } = await endpoint();
  await remove();
  const dead = { ...ports, store: interrupted(store, 1, () => new Promise<never>(() => {})) };
  void continueDeletion(dead, settings, job);
  while ((await store.branchDeletions.find(key, 'd'))?.isBegun !== true) await new Promise(setImmediate);
  await continueDeletion(ports, settings, job);
  expect((await live()).length).toBe(size - 500);
  await reconcileDeletions(ports);
  expect(await ports.queue.backlog('delete')).toBe(0);
  clock.at += settings.lease;
  await reconcileDeletions(ports);
  expect(await ports.queue.backlog('delete')).toBe(1);
  await continueDeletion(ports, settings, job);
  expect(await live()).toEqual([]);
  expect(await store.branchDeletions.find(key, 'd')).toMatchObject({ done: size, total: size });
});

test('what a worker deleted that died before it was counted is counted', async () => {
  const { store, ports, clock, remove } = await endpoint(500);
  await remove();
  const branchDeletions = replaced(store.branchDeletions, 'advance', (collection, id, lease, progress) =>
    progress.done < 500
      ? store.branchDeletions.advance(collection, id, lease, progress)
      : new Promise<never>(() => {}),
  );
  void continueDeletion({ ...ports, store: { ...store, branchDeletions } }, settings, job);
  while ((await store.items.list(key, { limit: 10, deleted: false })).length > 0)
    await new Promise(setImmediate);
  expect(await store.branchDeletions.find(key, 'd')).not.toMatchObject({ done: 500 });
  clock.at += settings.lease;
  await continueDeletion(ports, settings, job);
  expect(await store.branchDeletions.find(key, 'd')).toMatchObject({ done: 500, total: 500 });
});

test('a worker that another has taken over from stops, and does not end what goes on', async () => {
  const { store, ports, clock, remove } = await endpoint();
  await remove();
  const branchDeletions = replaced(store.branchDeletions, 'advance', async (...values) => {
    clock.at += settings.lease;
    await store.branchDeletions.take(key, 'd', { holder: 'other', duration: settings.lease });
    return store.branchDeletions.advance(...values);
  });
  await continueDeletion({ ...ports, store: { ...store, branchDeletions } }, settings, job);
  expect(await store.branchDeletions.find(key, 'd')).toMatchObject({ done: 0 });
  expect(await store.branchDeletions.find(key, 'd')).not.toHaveProperty('endedAt');
});

test('an outage gives the lease back, so that the job can be tried again', async () => {
  const { store, ports, remove, live } = await endpoint();
  await remove();
  const outage = () => Promise.reject(new UnavailableError('MongoDB', 'it is away', 'unknown'));
  const away = { ...ports, store: interrupted(store, 1, outage) };
  await expect(continueDeletion(away, settings, job)).rejects.toThrow(UnavailableError);
  await continueDeletion(ports, settings, job);
  expect(await live()).toEqual([]);
});

test('an item that can not be deleted ends it, with the reason', async () => {
  const { store, ports, remove } = await endpoint();
  await remove();
  const refusal = () => Promise.reject(new EditError('count-limit', 'It has too many updates.'));
  await continueDeletion({ ...ports, store: interrupted(store, 1, refusal) }, settings, job);
  expect(await store.branchDeletions.find(key, 'd')).toMatchObject({
    done: 500,
    failure: 'It has too many updates.',
    endedAt: ports.clock.now(),
  });
});

test('a deletion whose item is not deleted is forgotten, and nothing is deleted', async () => {
  const { store, ports, live } = await endpoint(3);
  await continueDeletion(ports, settings, job);
  expect(await live()).toHaveLength(4);
  expect(await store.branchDeletions.find(key, 'd')).toBeUndefined();
});

test('a deletion of a collection that is gone is forgotten', async () => {
  const { store, ports, root } = await endpoint(1);
  await store.collections.remove(key);
  const requested = { collection: key, id: 'd', item: root, requestedAt: new Date(), done: 0, total: 0 };
  await store.branchDeletions.add(requested, settings.lease);
  await continueDeletion(ports, settings, job);
  expect(await store.branchDeletions.find(key, 'd')).toBeUndefined();
});
