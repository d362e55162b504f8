import { expect, test } from '@jest/globals';
import { collectionKey, itemId } from '#core';
import { editItem } from '#items';
import { createMemoryStore, sampleCollection } from '#in-memory';
import type { Edit } from '#protocol';
import { payloadFromFields } from '#xml';
import { withItems } from './with-items.ts';

const key = collectionKey('news');
const now = (): Date => new Date('2026-02-01T00:00:00Z');
const publicUrl = 'http://here.example';
const collection = sampleCollection({ key, settings: { includeItem: true } });

async function pendingStore(...ids: readonly string[]) {
  const store = createMemoryStore({ clock: { now } });
  await store.collections.create(collection);
  const edit = async (id: string, content: string): Promise<void> => {
    const payload = payloadFromFields('atom', { content });
    const isNew = (await store.items.load(key, [itemId(id)])).size === 0;
    const edit: Edit = isNew ? { action: 'create', id: itemId(id), payload } : { action: 'update', payload };
    await editItem({ store, now, publicUrl }, collection, itemId(id), edit);
  };
  for (const id of ids) await edit(id, 'x'.repeat(300_000 / ids.length));
  return { store, edit, pending: await store.items.pending(key, 100) };
}

test('items are added as far as there is space, one at least', async () => {
  const { store, pending } = await pendingStore('a', 'b', 'c');
  const ids = async (bytes: number): Promise<string[]> =>
    (await withItems({ store, publicUrl }, collection, pending, bytes)).map(({ id }) => id);
  expect(await ids(10_000_000)).toEqual(['a', 'b', 'c']);
  expect((await ids(1)).length).toBeLessThan(3);
  expect(await ids(1)).toContain('a');
});

test('an item that has changed since it was found pending is announced as it is now', async () => {
  const { store, edit, pending } = await pendingStore('a');
  await edit('a', 'other');
  const [item] = await withItems({ store, publicUrl }, collection, pending, 1_000_000);
  expect([pending[0]?.revision, item?.revision]).toEqual([1, 2]);
  expect(item?.shown?.item).toMatchObject({ content: 'other', revision: 2 });
});

test('an item that was removed meanwhile is left out', async () => {
  const { store, pending } = await pendingStore('a', 'b');
  await store.items.remove(key, [{ id: itemId('a'), revision: 1 }]);
  const items = await withItems({ store, publicUrl }, collection, pending, 1_000_000);
  expect(items.map(({ id }) => id)).toEqual(['b']);
});
