import type { Collection, Notice, PendingFeed, PendingItem, PublishRequests, Store } from '#core';
import { isFeedTree } from '#protocols';

/** What is to be published. */
export interface PendingChanges {
  readonly items: readonly PendingItem[];
  readonly notices: readonly Notice[];
  /** Of a tree of feeds: those whose title or head is another. */
  readonly heads: readonly PendingFeed[];
  /** Whether that is all that was requested. */
  readonly isAll: boolean;
}

/**
 * Reads what is pending of what is requested. Notices and feeds are pending for requests of everything alone.
 * Feeds are read before any of them gets the date of a block, so that whoever finds the date finds what they
 * say now.
 */
export async function pendingOf(
  { items, notices, feeds }: Pick<Store, 'items' | 'notices' | 'feeds'>,
  collection: Collection,
  limit: number,
  { ids, everything }: PublishRequests,
): Promise<PendingChanges> {
  const { key } = collection;
  const named = ids.length > 0 ? await items.pendingAmong(key, ids) : [];
  if (everything === 0) return { items: named, notices: [], heads: [], isAll: true };
  const [found, pendingNotices, heads] = await Promise.all([
    items.pending(key, limit),
    notices.pending(key, limit),
    isFeedTree(collection) ? feeds.pending(key, limit) : [],
  ]);
  const all = [...new Map([...named, ...found].map((item) => [item.id, item])).values()];
  const isAll = [all, found, pendingNotices, heads].every(({ length }) => length < limit);
  return { items: all.slice(0, limit), notices: pendingNotices, heads, isAll };
}
