import type { ItemContent, StoredItem } from '#ports';

/** What becomes of an item that its publisher no longer has: out of the collection, or kept without this source. */
export type ItemFate = 'discarded' | 'kept';

/**
 * Decides on an item of a resynced subscription that is in neither of its feeds (FeedSync 4.1.2 step 2.1.2): kept where another
 * subscription brings it too, and where it, or a version in conflict, was created or last updated by this endpoint.
 * @param endpoint the identifier that this endpoint edits under
 */
export function fateOf({ content, sources, subscription }: Pick<StoredItem, 'content' | 'sources' | 'subscription'>, endpoint: string): ItemFate {
  const isEditedHere = subscription === undefined || [content, ...content.conflicts].some((version) => isOwn(version, endpoint));
  return isEditedHere || sources.length > 1 ? 'kept' : 'discarded';
}

function isOwn({ sync: { history } }: ItemContent, endpoint: string): boolean {
  const created = history.at(-1);
  if (history[0]?.by === endpoint || created?.by === endpoint) return true;
  // A history that was cleaned up (3.2) may no longer say who created the item: then any part in it may have been that.
  return created?.sequence !== 1 && history.some(({ by }) => by === endpoint);
}
