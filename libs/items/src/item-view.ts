import type { AnyItemView, ItemView } from '#contracts';
import { isFeedTree, protocolOf } from '#protocols';
import { isOrdered } from '#protocol';
import type { ItemJson } from '#protocol';
import type { Collection, ItemId, StoredItem } from '#core';
import { siblingPositions } from './sibling-positions.ts';
import { treeItemViews } from './tree/tree-item-view.ts';
import type { ViewPorts } from './view-ports.ts';

/** Items of one collection as they are shown, in the order given. */
export async function itemViews(
  ports: ViewPorts,
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
