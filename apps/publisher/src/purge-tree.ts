import type { Collection, ItemStore } from '#core';
import { before } from './feed-window.ts';

/**
 * Removes from a tree of feeds the tombstones that were published longer ago than the collection's
 * `tombstoneAge`, or `expiresAfter` if it has none. They stand in no feed: readers see a deletion by the
 * date that it has left on the feed.
 * @param step tombstones looked at in one step
 */
export async function purgeTree(
  items: Pick<ItemStore, 'expiredTombstones' | 'remove'>,
  { key, settings }: Collection,
  { now, step }: { readonly now: Date; readonly step: number },
): Promise<void> {
  const publishedBefore = before(now, settings.tombstoneAge ?? settings.expiresAfter);
  for (;;) {
    const expired = await items.expiredTombstones(key, publishedBefore, step);
    const gone = await items.remove(key, expired);
    if (gone.length === 0 || expired.length < step) return;
  }
}
