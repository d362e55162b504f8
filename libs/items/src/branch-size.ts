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
  const parents = [id];
  let found = 0;
  for (let start = 0; start < parents.length;) {
    const some = parents.slice(start, start + parentsAtOnce);
    start += some.length;
    const children = await items.childStates(collection, some);
    found += children.filter(({ deleted }) => !deleted).length;
    if (found > limit) return true;
    for (const child of children) {
      if (met.has(child.id)) continue;
      met.add(child.id);
      parents.push(child.id);
    }
  }
  return false;
}
