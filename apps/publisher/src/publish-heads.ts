import type { Lease, PendingFeed, Publication, Store } from '#core';
import { advancePublication } from './advance-publication.ts';
import { propagateDates } from './propagate-dates.ts';

/**
 * Dates feeds of a tree whose title or head has become another while no block of items does so: from then on,
 * readers who go by dates find them (Content Sync Extensions, "Newer (for feed)"). Whoever breaks off leaves
 * them pending, to be dated again by a later time.
 * @param at a time of their own: it is recorded as the publication's before any feed has it, so that no
 *   block is published under it
 */
export async function publishHeads(
  store: Store,
  lease: Lease,
  publication: Publication,
  heads: readonly PendingFeed[],
  at: Date,
): Promise<Publication> {
  const dated = await advancePublication(store, lease, { ...publication, updatedAt: at });
  await propagateDates(store, lease.collection, { items: [], heads }, at);
  // Where another publisher has taken over, a later date may already have been above the feeds when they were
  // given this one.
  await advancePublication(store, lease, dated);
  await store.feeds.markPublished(lease.collection, heads);
  return dated;
}
