import type { Collection, PendingFeed, Store } from '#core';
import { propagateDates } from './propagate-dates.ts';

/**
 * Dates feeds of a tree whose title or head has become another while nothing else is to be published: from
 * then on, readers who go by dates find them (Content Sync Extensions, "Newer (for feed)"). They stay
 * pending, to be dated again by a later time, if something was published meanwhile: its date may already have
 * been above the feeds when they were given this one.
 * @param collection all that is published in it was followed
 * @param at a time of their own: it is recorded as the publication's before any feed has it, so that no block
 *   is published under it
 */
export async function publishHeads(
  { collections, items, feeds }: Store,
  collection: Collection,
  heads: readonly PendingFeed[],
  at: Date,
): Promise<void> {
  const { key, publication } = collection;
  if (!(await collections.setPublicationTime(collection, at))) return;
  await propagateDates({ items, feeds }, key, { items: [], heads: heads.map(({ id }) => id) }, at);
  const dated = { ...collection, publication: { ...publication, updatedAt: at } };
  if (await collections.setPublicationTime(dated, at)) await feeds.markPublished(key, heads);
}
