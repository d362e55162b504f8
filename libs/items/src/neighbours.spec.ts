import { expect, test } from '@jest/globals';
import { createMemoryStore } from '#in-memory';
import { collectionKey, itemId } from '#core';
import type { ItemId, Placed, StoredItem } from '#core';
import { compareSiblings } from '#sse';
import { indexAmongSiblings, neighboursAt } from './neighbours.ts';

const reading = collectionKey('reading');
const parent = 'folder';

/** Keys as they come about when several endpoints put items between the same two. */
const keys = ['A', 'V', 'V', 'V', 'V-61-K', 'V-63-B', 'V-63-B', 'V-63-B-61-X', 'V0', 'W', 'W-61-M', 'b', 'b'];

/** A store with these siblings, the later ones deleted or without a key, and those of another parent. */
async function storeWith(siblings: readonly Placed[]) {
  const store = createMemoryStore({ clock: { now: () => new Date(0) } });
  const item = (placed: Placed, deleted = false): StoredItem =>
    ({
      ...placed,
      collection: reading,
      revision: 0,
      deleted,
      conflictCount: 0,
      version: { updates: 1 },
      sources: [],
      createdAt: new Date(0),
      updatedAt: new Date(0),
      entry: '',
      content: {},
    }) as unknown as StoredItem;
  const others = [
    item({ id: itemId('gone'), position: { parent, key: 'V' } }, true),
    item({ id: itemId('waiting'), position: { parent, after: itemId('a') } }),
    item({ id: itemId('elsewhere'), position: { key: 'V' } }),
  ];
  await store.items.compareAndSet(
    [...siblings.map((placed) => item(placed)), ...others].map((stored) => ({ expected: 0, item: stored })),
  );
  return store.items;
}

test('neighbours and index are those in the order of all siblings, whatever their keys', async () => {
  // Ids in another order than the keys: multiples of 7 modulo 13.
  const ids = keys.map((_, place) => itemId(String.fromCodePoint(97 + ((place * 7) % keys.length))));
  const all = keys.map((key, place): Placed => ({ id: ids[place] as ItemId, position: { parent, key } }));
  for (let count = 0; count <= all.length; count += 1) {
    const siblings = all.slice(0, count);
    const items = await storeWith(siblings);
    const ordered = siblings.toSorted(compareSiblings);
    for (const id of [...siblings.map((sibling) => sibling.id), itemId('new')]) {
      const of = { collection: reading, parent, id };
      const others = ordered.filter((sibling) => sibling.id !== id);
      for (const wanted of [...others.keys(), others.length, others.length + 5, undefined]) {
        const index = Math.min(wanted ?? others.length, others.length);
        expect([index, await neighboursAt(items, of, wanted)]).toEqual([
          index,
          { before: others[index - 1], after: others[index] },
        ]);
      }
      const place = ordered.findIndex((sibling) => sibling.id === id);
      expect(await indexAmongSiblings(items, of, ordered[place]?.position.key ?? 'V')).toBe(
        place < 0 ? undefined : place,
      );
    }
  }
});
