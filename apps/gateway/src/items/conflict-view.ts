import type { ConflictingItemView } from '#contracts';
import { nameOf } from '#core';
import type { Collection } from '#core';
import { itemViews } from '#items';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { ConflictingItem } from './list-conflicts.ts';

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
