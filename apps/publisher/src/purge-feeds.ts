import { pagesOf } from '#core';
import type { Clock, Collection, CollectionKey, CollectionStore, Store } from '#core';
import { purgeCollection } from './purge-collection.ts';

/** Collections read, and purged side by side, at once. */
const pageCollections = 8;

/**
 * The purge of the feeds, to be run again and again: items leave a feed by the passing of time alone. The
 * first run that succeeds looks at every collection, each later one only at those in which something may have
 * to go by now.
 *
 * Each run removes the tombstones that were at or below \`since\` when its own last run ended, so that the
 * pause between two runs is the time that readers have to finish, whoever else raises \`since\`.
 * @param step how many tombstones of a collection one step looks at
 */
export function feedPurge(
  clock: Pick<Clock, 'now'>,
  step: number,
): (ports: { readonly store: Pick<Store, 'collections' | 'items'> }) => Promise<void> {
  let announced: ReadonlyMap<CollectionKey, number> = new Map();
  let hasSeenAll = false;
  return async ({ store }) => {
    const { collections } = store;
    const announcing = new Map<CollectionKey, number>();
    const purge = async (collection: Collection): Promise<void> => {
      const { key } = collection;
      const now = clock.now();
      const limits = { now, step, announced: announced.get(key) ?? 0 };
      const { since, nextAt } = await purgeCollection(store, collection, limits);
      announcing.set(key, since);
      const isDue = nextAt !== undefined && nextAt <= now;
      // One that was due stays so, and is met no second time by this run.
      if (!isDue || !hasSeenAll) await collections.postponePurge(collection, nextAt);
    };
    const pages = hasSeenAll
      ? collections.duePurges(clock.now(), pageCollections)
      : allCollections(collections);
    for await (const page of pages) await Promise.all(page.map(purge));
    hasSeenAll = true;
    announced = announcing;
  };
}

function allCollections(collections: Pick<CollectionStore, 'list'>): AsyncIterable<readonly Collection[]> {
  return pagesOf(
    (page) => collections.list(page),
    ({ key }) => key,
    pageCollections,
  );
}
