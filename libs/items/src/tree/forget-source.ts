import type { CollectionKey, Store } from '#core';

/** How many documents are removed in one go. */
const batchLength = 1000;

/**
 * Removes the documents of a tree without a subscription, for as long as it has none: what the cache knows of
 * a source that it follows no more.
 */
export async function forgetSource(
  { subscriptions, documents }: Pick<Store, 'subscriptions' | 'documents'>,
  collection: CollectionKey,
): Promise<void> {
  while ((await subscriptions.list(collection, { limit: 1 })).length === 0) {
    const orphaned = await documents.list(collection, { limit: batchLength });
    if (orphaned.length === 0) return;
    await documents.remove(
      collection,
      orphaned.map(({ url }) => url),
    );
  }
}
