import type { AnyItemView, ConflictingItemView, ItemView } from '#contracts';
import { siblingPositions } from '#items';
import { isFeedTree, protocolOf } from '#protocols';
import { isOrdered } from '#protocol';
import type { ItemJson } from '#protocol';
import { nameOf } from '#core';
import type { Collection, ItemId, StoredItem } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { ConflictingItem } from './list-conflicts.ts';
import { treeItemViews } from '../tree/tree-item-view.ts';

/** Items of one collection as they are shown, in the order given. */
export async function itemViews(
  ports: Pick<GatewayPorts, 'store' | 'publicUrl'>,
  collection: Collection,
  items: readonly StoredItem[],
): Promise<AnyItemView[]> {
  if (isFeedTree(collection)) return treeItemViews(ports, collection, items);
  const positions = isOrdered(collection)
    ? await siblingPositions(ports.store, collection.key, items)
    : new Map<ItemId, number>();
  const protocol = protocolOf(collection);
  return items.map(({ id, content, revision, actor, createdAt, updatedAt }) => {
    const position = positions.get(id);
    return {
      // Only the items of trees have none.
      ...(protocol.json(content) as ItemJson & Pick<ItemView, 'sync' | 'conflicts'>),
      ...(position !== undefined && { position }),
      revision,
      ...(actor && { actor }),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  });
}

/** Items in conflict as they are shown, each with its collection, in the order given. */
export async function conflictViews(
  ports: Pick<GatewayPorts, 'store' | 'publicUrl'>,
  found: readonly ConflictingItem[],
): Promise<ConflictingItemView[]> {
  const views: ConflictingItemView[] = [];
  for (let start = 0; start < found.length;) {
    const collection = found[start]?.collection as Collection;
    const end = found.findIndex((other, place) => place > start && other.collection.key !== collection.key);
    const items = found.slice(start, end === -1 ? found.length : end).map(({ item }) => item);
    const name = nameOf(collection.key);
    for (const view of await itemViews(ports, collection, items)) views.push({ ...view, collection: name });
    start += items.length;
  }
  return views;
}
