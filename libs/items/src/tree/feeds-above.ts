import type { CollectionKey, Store } from '#core';

/**
 * Feeds of a tree and all above them: those with an item that links to one of them as a nested feed, those
 * that link to these, and so on; each with the feeds that link to it.
 */
export async function feedsAbove(
  items: Pick<Store['items'], 'linking'>,
  collection: CollectionKey,
  feeds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const parents = new Map<string, ReadonlySet<string>>();
  const found = new Set(feeds);
  // A set that is added to while it is read is read to the end.
  for (const feed of found) {
    const above = new Set((await items.linking(collection, [feed])).map((link) => link.feed));
    parents.set(feed, above);
    for (const parent of above) found.add(parent);
  }
  return parents;
}
