import { compareCodePoints } from '#core';
import { keysBeside } from '#sse';
import type { CollectionKey, ItemId, Store, StoredItem } from '#core';
import { indexAmongSiblings, inOrder } from './neighbours.ts';

/** Up to how many siblings of listed items are read, each of them. */
const fewSiblings = 1000;

/**
 * The number of each item among those below its parent that are not deleted; none for one without a place.
 */
export async function siblingPositions(
  { items: stored }: Pick<Store, 'items'>,
  collection: CollectionKey,
  items: readonly StoredItem[],
): Promise<ReadonlyMap<ItemId, number>> {
  const [only, ...others] = items;
  if (only !== undefined && others.length === 0) return positionOf(stored, collection, only);
  const families = new Map<string, string[]>();
  for (const { deleted, position: { parent = '', key } = {} } of items) {
    if (deleted || key === undefined) continue;
    const keys = families.get(parent);
    if (keys === undefined) families.set(parent, [key]);
    else keys.push(key);
  }
  const positions = new Map<ItemId, number>();
  for (const [parent, keys] of families)
    for await (const [id, place] of placesOf(stored, collection, parent, keys)) positions.set(id, place);
  return positions;
}

/**
 * The numbers of the live items with these keys below a parent, and those of others. Of many siblings it
 * reads those at the locations of the keys, and counts the others by the index of the store.
 */
async function* placesOf(
  stored: Store['items'],
  collection: CollectionKey,
  parent: string,
  keys: readonly string[],
): AsyncGenerator<readonly [id: ItemId, place: number]> {
  const few = await stored.placesBelow(collection, parent, { limit: fewSiblings });
  if (few.length < fewSiblings) {
    for (const [place, { id }] of (await inOrder(few)).entries()) yield [id, place];
    return;
  }
  const locations = new Set(keys.map((key) => keysBeside(key).from));
  let [preceding, counted] = [0, ''];
  for (const location of [...locations].toSorted(compareCodePoints)) {
    const { from, before } = keysBeside(location);
    const [between, beside] = await Promise.all([
      stored.countPlacesBelow(collection, parent, { from: counted, before: from }),
      stored.placesBelow(collection, parent, { from, before }),
    ]);
    preceding += between;
    for (const [place, { id }] of (await inOrder(beside)).entries()) yield [id, preceding + place];
    preceding += beside.length;
    counted = before;
  }
}

async function positionOf(
  stored: Store['items'],
  collection: CollectionKey,
  { id, deleted, position: { parent = '', key } = {} }: StoredItem,
): Promise<ReadonlyMap<ItemId, number>> {
  if (deleted || key === undefined) return new Map();
  const place = await indexAmongSiblings(stored, { collection, parent, id }, key);
  return new Map(place === undefined ? [] : [[id, place]]);
}
