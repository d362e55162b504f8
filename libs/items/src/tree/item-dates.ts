import type { CollectionKey, Store, StoredItem } from '#core';

/**
 * The `csx:lastBuildDate` of items of a tree, by id: when an item was published, or what it nests, whichever
 * was later (CSE, Propagating the lastBuildDate). What was never published has none.
 */
export async function itemDates(
  { feeds }: Pick<Store, 'feeds'>,
  collection: CollectionKey,
  items: Iterable<Pick<StoredItem, 'id' | 'publishedAt' | 'branch'>>,
): Promise<Map<string, Date>> {
  const published = [...items];
  const nested = new Set(published.flatMap(({ branch }) => branch?.nested ?? []));
  const below = await feeds.load(collection, [...nested]);
  return new Map(
    published.flatMap(({ id, publishedAt, branch }) => {
      if (publishedAt === undefined) return [];
      const nestedAt = below.get(branch?.nested ?? '')?.publishedAt;
      return [[id, nestedAt !== undefined && nestedAt > publishedAt ? nestedAt : publishedAt] as const];
    }),
  );
}
