import { describe, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, itemId } from '#core';
import type { ItemId, Store } from '#core';
import { editItem } from './edit-item.ts';
import { ItemStateError } from '#protocol';
import type { RequestedPlacement } from './requested-placement.ts';
import { writeEdits } from './write-edits.ts';

const early = itemId('early');

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const payload = payloadFromFields('opml', { attributes: { text: 'x' } });
const collection = sampleCollection({
  key: collectionKey('reading'),
  protocol: 'sse',
  format: 'opml',
  title: 'Reading',
  createdAt: now(),
});

/**
 * An endpoint whose outlines `n0`, `n1` … each stand in the one before; it counts what is asked of the store.
 */
async function chain(length: number) {
  let asked = 0;
  const store = createMemoryStore({ clock: { now } });
  const counting = new Proxy(store.items, {
    get(target, name: keyof Store['items']) {
      asked += 1;
      return (target[name] as () => unknown).bind(target);
    },
  });
  const ports = { store: { ...store, items: counting }, now, publicUrl: 'http://here.example' };
  const create = (id: ItemId, place: RequestedPlacement) =>
    editItem(ports, collection, id, { action: 'create', id, payload, place });
  for (let level = 0; level < length; level += 1)
    await create(itemId(`n${level}`), { parent: level === 0 ? null : `n${level - 1}` });
  return {
    ports,
    create,
    move: (id: string, parent: string) =>
      editItem(ports, collection, itemId(id), { action: 'update', place: { parent } }),
    parentOf: async (id: ItemId) =>
      (await store.items.load(collectionKey('reading'), [id])).get(id)?.position?.parent,
    asked: async (edit: () => Promise<unknown>) => {
      asked = 0;
      await edit();
      return asked;
    },
  };
}

describe("an item can't get below itself (SSE 4.4.2)", () => {
  test.each([2, 8, 9, 30])(
    'in a tree of %i levels, nor is it kept from another place there',
    async (levels) => {
      const { create, move, parentOf } = await chain(levels);
      const deepest = `n${levels - 1}`;
      await expect(move('n0', deepest)).rejects.toThrow(ItemStateError);
      await create(itemId('folder'), { parent: null });
      await create(itemId('inner'), { parent: 'folder' });
      await move('folder', deepest);
      expect(await parentOf(itemId('folder'))).toBe(deepest);
      await expect(move('n0', 'inner')).rejects.toThrow('"inner" stands below "n0"');
    },
  );

  test('when it is created with the id that an item above its place waits for', async () => {
    const { ports, create, parentOf } = await chain(0);
    await writeEdits(ports, collection, async () => [
      {
        id: early,
        revision: 0,
        edit: { action: 'create', id: early, payload, position: { parent: 'late', key: 'V' } },
      },
    ]);
    await expect(create(itemId('late'), { parent: 'early' })).rejects.toThrow('"early" stands below "late"');
    await create(itemId('late'), { parent: null });
    expect(await parentOf(early)).toBe('late');
  });
});

test('an item without others in it is created, and moved, by as many requests at any depth', async () => {
  const { create, move, asked } = await chain(30);
  const shallow = await asked(() => create(itemId('a'), { parent: 'n0' }));
  expect(await asked(() => create(itemId('b'), { parent: 'n29' }))).toBe(shallow);
  const moved = await asked(() => move('a', 'n1'));
  expect(await asked(() => move('b', 'n28'))).toBe(moved);
});
