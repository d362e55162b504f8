import { pagesOf } from '#core';
import type { Clock, CollectionKey, Store } from '#core';
import { purgeCollection } from './purge-collection.ts';

/** Collections read at once. */
const pageCollections = 100;

/**
 * The purge of all collections, to be run again and again: items leave a feed by the passing of time alone.
 * Each run removes the tombstones that were at or below `since` when its own last run ended, so that the
 * pause between two runs is the time that readers have to finish, whoever else raises `since`.
 * @param step how many tombstones of a collection one step looks at
 */
export function feedPurge(
  clock: Pick<Clock, 'now'>,
  step: number,
): (ports: { readonly store: Pick<Store, 'collections' | 'items'> }) => Promise<void> {
  let announced: ReadonlyMap<CollectionKey, number> = new Map();
  return async ({ store }) => {
    const announcing = new Map<CollectionKey, number>();
    const pages = pagesOf(
      (page) => store.collections.list(page),
      ({ key }) => key,
      pageCollections,
    );
    for await (const page of pages) {
      for (const collection of page) {
        const { key } = collection;
        announcing.set(
          key,
          await purgeCollection(store, collection, {
            now: clock.now(),
            step,
            announced: announced.get(key) ?? 0,
          }),
        );
      }
    }
    announced = announcing;
  };
}
