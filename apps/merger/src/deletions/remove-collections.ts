import type { Store } from '#core';

/** How many collections are looked for in one go. */
const collectionsAtOnce = 100;

/**
 * Deletes what collections that were removed still have, a step of each in turn, until nothing is left. A
 * process that is killed has done what it has done; several processes may do it at the same time.
 */
export async function removeCollections({ collections }: Pick<Store, 'collections'>): Promise<void> {
  for (;;) {
    const removed = await collections.removals(collectionsAtOnce);
    if (removed.length === 0) return;
    for (const key of removed) await collections.continueRemoval(key);
  }
}
