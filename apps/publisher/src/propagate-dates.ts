import { feedOfItem } from '#cse';
import { feedsAbove } from '#items';
import { inSlices } from '#core';
import type { CollectionKey, PublishedItem, Store } from '#core';
import { feedLevels } from './feed-levels.ts';

/** What has changed in a tree: items, and feeds of which the title or head is another. */
interface TreeChanges {
  readonly items: readonly Pick<PublishedItem, 'id' | 'sequence'>[];
  readonly heads: readonly string[];
}

/**
 * Records the date of changes, whose items have it already, on their feeds and on every feed above those, to
 * the root (Content Sync Extensions, "Propagating the lastBuildDate to parent feeds"). A nested feed comes
 * before those that link to it. So once a feed has the date, all that it is the date of is there: readers
 * must be shown no later date in a feed than the feed's own, which makes that one write the moment at which
 * they see all of it. Repeating it changes nothing.
 */
export async function propagateDates(
  { items, feeds }: Pick<Store, 'items' | 'feeds'>,
  collection: CollectionKey,
  changes: TreeChanges,
  at: Date,
): Promise<void> {
  // An item has the date of the feed that it links to (csx:lastBuildDate), so one that was changed itself
  // gives that feed its own. One that was published again since then gives it a later date.
  const nested = await items.nestedFeeds(collection, changes.items);
  const parents = await feedsAbove(items, collection, [
    ...changes.items.map(({ id }) => feedOfItem(id)),
    ...changes.heads,
    ...nested,
  ]);
  for (const level of await inSlices(feedLevels(parents))) await feeds.raise(collection, level, at);
}
