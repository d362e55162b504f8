import type { Collection, ItemStore } from '#core';
import { before, beyond } from './times.ts';
import { tombstoneAge } from './tombstone-age.ts';

/**
 * Removes from a tree of feeds the tombstones that were published longer ago than `tombstoneAge` says.
 * @param step tombstones looked at in one step
 * @returns when there may be something to remove next; undefined if nothing will be unless it is published
 */
export async function purgeTree(
  items: Pick<ItemStore, 'expiredTombstones' | 'oldestTombstone' | 'remove'>,
  collection: Collection,
  { now, step }: { readonly now: Date; readonly step: number },
): Promise<Date | undefined> {
  const { key } = collection;
  const age = tombstoneAge(collection);
  if (age === undefined) return undefined;
  for (;;) {
    const expired = await items.expiredTombstones(key, before(now, age), step);
    const gone = await items.remove(key, expired);
    if (gone.length < expired.length) return now;
    if (expired.length < step) break;
  }
  const oldest = await items.oldestTombstone(key);
  return oldest && beyond(oldest, age);
}
