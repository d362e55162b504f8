import { sharingProtocolOf } from '#protocols';
import { sharedContent } from '#core';
import type { Collection, StoredItem } from '#core';

/**
 * What becomes of an item that its publisher no longer has: out of the collection, or kept without this
 * source.
 */
type Retention = 'discarded' | 'kept';

/**
 * Decides on an item of a resynced subscription that is in neither of its feeds (FeedSync 4.1.2 step 2.1.2):
 * kept if another subscription brings it too, and if it, or a version in conflict, was created or last
 * updated by this endpoint.
 */
export function retentionOf(
  { content, sources, subscription }: Pick<StoredItem, 'content' | 'sources' | 'subscription'>,
  collection: Pick<Collection, 'protocol' | 'endpoint' | 'retiredEndpoints'>,
): Retention {
  const isEditedHere =
    subscription === undefined ||
    sharingProtocolOf(collection).isOwn?.(sharedContent(content), [
      collection.endpoint,
      ...(collection.retiredEndpoints ?? []),
    ]) !== false;
  return isEditedHere || sources.length > 1 ? 'kept' : 'discarded';
}
