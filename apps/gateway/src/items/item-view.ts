import type { AnyItemView, ItemView } from '#contracts';
import { isFeedTree, protocolOf } from '#protocols';
import { isOrdered } from '#protocol';
import type { ItemJson } from '#protocol';
import type { Collection, CollectionKey, Store, StoredItem } from '#core';
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
    ? await positionsAmongSiblings(ports.store.items, collection.key, items)
    : new Map<string, number>();
  const protocol = protocolOf(collection);
  return items.map(({ id, content, revision, createdAt, updatedAt }) => {
    const position = positions.get(id);
    return {
      // Only the items of trees have none.
      ...(protocol.json(content) as ItemJson & Pick<ItemView, 'sync' | 'conflicts'>),
      ...(position !== undefined && { position }),
      revision,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  });
}

/** The number of each item among those below its parent that are not deleted. */
async function positionsAmongSiblings(
  stored: Store['items'],
  collection: CollectionKey,
  items: readonly StoredItem[],
): Promise<Map<string, number>> {
  const parents = new Set(items.map(({ position }) => position?.parent ?? ''));
  const counts = new Map<string, number>();
  const positions = new Map<string, number>();
  for (const {
    id,
    deleted,
    position: { parent = '', key },
  } of await stored.children(collection, [...parents])) {
    if (deleted || key === undefined) continue;
    const count = counts.get(parent) ?? 0;
    positions.set(id, count);
    counts.set(parent, count + 1);
  }
  return positions;
}
