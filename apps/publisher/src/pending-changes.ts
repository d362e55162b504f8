import type { Collection, Notice, PendingFeed, PendingItem, Store } from '#core';
import { isFeedTree } from '#protocols';

/** What is to be published. */
export interface PendingChanges {
  readonly items: readonly PendingItem[];
  readonly notices: readonly Notice[];
  /** Of a tree of feeds: those whose title or head is another. */
  readonly heads: readonly PendingFeed[];
}

/**
 * Reads what is pending in a collection, at most `limit` of each kind. Feeds are read before any of them gets
 * the date of a block, so that whoever finds the date finds what they say now.
 */
export async function pendingOf(
  { items, notices, feeds }: Pick<Store, 'items' | 'notices' | 'feeds'>,
  collection: Collection,
  limit: number,
): Promise<PendingChanges> {
  const { key } = collection;
  const [found, pendingNotices, heads] = await Promise.all([
    items.pending(key, limit),
    notices.pending(key, limit),
    isFeedTree(collection) ? feeds.pending(key, limit) : [],
  ]);
  return { items: found, notices: pendingNotices, heads };
}

export function isNothing({ items, notices, heads }: PendingChanges): boolean {
  return items.length + notices.length + heads.length === 0;
}
