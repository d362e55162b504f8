import type { Clock, Store } from '#core';
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
  let told: ReadonlyMap<string, number> = new Map();
  return async ({ store }) => {
    const telling = new Map<string, number>();
    let after: string | undefined;
    do {
      const page = await store.collections.list({
        limit: pageCollections,
        ...(after !== undefined && { after }),
      });
      for (const collection of page) {
        const { name } = collection;
        telling.set(
          name,
          await purgeCollection(store, collection, { now: clock.now(), step, told: told.get(name) ?? 0 }),
        );
      }
      after = page.at(-1)?.name;
    } while (after !== undefined);
    told = telling;
  };
}
