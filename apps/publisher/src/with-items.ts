import { Slices } from '#core';
import type { Collection, PendingItem, StoredItem } from '#core';
import { itemViews } from '#items';
import type { EventItem } from '#items';
import type { PublishPorts } from './publish-ports.ts';

/** How many bytes of JSON an item in an event has at most. */
const longestItem = 262_144;

/**
 * Adds to pending items of a collection with `includeItem` what is shown of them, as far as they have
 * `maximumBytes` together; the others stay pending, and one that was removed meanwhile is left out. What has
 * changed since it was found pending is taken as it is now. Other collections cost nothing.
 */
export async function withItems(
  { store, publicUrl }: Pick<PublishPorts, 'store' | 'publicUrl'>,
  collection: Collection,
  pending: readonly PendingItem[],
  maximumBytes: number,
): Promise<readonly EventItem[]> {
  if (collection.settings.includeItem !== true) return pending;
  const found = new Map(pending.map((item) => [item.id, item]));
  const items: EventItem[] = [];
  const slices = new Slices();
  let bytes = 0;
  for await (const stored of store.items.loadInSteps(collection.key, [...found.keys()])) {
    const present = stored.filter(({ deleted }) => !deleted);
    const views = await itemViews({ store, publicUrl }, collection, present);
    const byId = new Map(views.map((view) => [view.id, view]));
    for (const item of stored) {
      const view = byId.get(item.id);
      const length = view === undefined ? 0 : Buffer.byteLength(JSON.stringify(view));
      const isTooLong = length > longestItem;
      bytes += isTooLong ? 0 : length;
      const shown = isTooLong ? { itemOmitted: true as const } : view && { item: view };
      items.push({ ...asPending(item, found.get(item.id)), shown });
    }
    if (bytes >= maximumBytes) break;
    await slices.rest();
  }
  return items;
}

/** A stored item as pending, in the trace in which it was found. */
function asPending(item: StoredItem, found: PendingItem | undefined): PendingItem {
  const { collection, id, revision, deleted, conflictCount, version } = item;
  const { subscription, sequence, announced, updatedAt } = item;
  const state = { collection, id, revision, deleted, conflictCount, version, subscription, sequence };
  return { ...found, ...state, announced, updatedAt };
}
