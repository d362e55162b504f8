import type { CollectionKey, ItemId, ItemStore } from '#core';

/** How many parents are requested their children in one go. */
const parentsAtOnce = 100;

/** Whether more than `limit` live items stand below one. Reads no item. */
export async function isBranchAbove(
  items: Pick<ItemStore, 'childStates'>,
  collection: CollectionKey,
  id: ItemId,
  limit: number,
): Promise<boolean> {
  const met = new Set([id]);
  let found = 0;
  for (let parents = [id]; parents.length > 0;) {
    const children = await items.childStates(collection, parents.slice(0, parentsAtOnce));
    found += children.filter(({ deleted }) => !deleted).length;
    if (found > limit) return true;
    parents = parents.slice(parentsAtOnce);
    for (const child of children) {
      if (met.has(child.id)) continue;
      met.add(child.id);
      parents.push(child.id);
    }
  }
  return false;
}
