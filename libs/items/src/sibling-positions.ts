import { compareSiblings } from '#sse';
import type { CollectionKey, ItemId, Store, StoredItem } from '#core';
import { indexAmongSiblings } from './neighbours.ts';

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
  const positions = new Map<ItemId, number>();
  for (const parent of new Set(items.map(({ position }) => position?.parent ?? ''))) {
    const siblings = await stored.placesBelow(collection, parent, {});
    for (const [place, { id }] of siblings.sort(compareSiblings).entries()) positions.set(id, place);
  }
  return positions;
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
