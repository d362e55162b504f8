import { itemId } from '#core';
import type { CollectionKey, ItemId, Store } from '#core';

/** How many levels are requested one by one before the places of all items are read. */
const levelsAsked = 8;

/**
 * Whether an item is above itself once it stands in this parent (SSE 4.4.2). Only one that has others in it
 * can be.
 */
export async function closesCycle(
  items: Store['items'],
  collection: CollectionKey,
  id: ItemId,
  parent: string | undefined,
): Promise<boolean> {
  if (parent === undefined || !(await items.hasChildren(collection, id))) return false;
  const above = new Set<string>();
  const parents = new Map<string, string | undefined>();
  for (let at: string | undefined = parent; at !== undefined && !above.has(at);) {
    if (at === id) return true;
    above.add(at);
    if (above.size === levelsAsked)
      for await (const item of items.positions(collection)) parents.set(item.id, item.position.parent);
    at =
      above.size < levelsAsked
        ? (await items.load(collection, [itemId(at)])).get(itemId(at))?.position?.parent
        : parents.get(at);
  }
  return false;
}
