import type { AnyItemView, ItemView } from '#contracts';
import { siblingPositions } from '#items';
import { isFeedTree, protocolOf } from '#protocols';
import { isOrdered } from '#protocol';
import type { ItemJson } from '#protocol';
import type { Collection, ItemId, StoredItem } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
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
