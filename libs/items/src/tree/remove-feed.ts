import type { Collection, Store } from '#core';
import { deleteTreeItems } from './tombstones.ts';

/** What removing a feed needs of the world. */
interface RemovalPorts {
  readonly store: Pick<Store, 'items' | 'feeds'>;
  readonly now: () => Date;
}

/**
 * Deletes all items of a feed of a tree, and then the feed (CSE, Item deletion and cache clean up). Running
 * it twice changes nothing more. Returns how many items it deleted.
 */
export async function removeFeed(ports: RemovalPorts, collection: Collection, feed: string): Promise<number> {
  const { items, feeds } = ports.store;
  const live = (await items.children(collection.key, [feed])).filter(({ deleted }) => !deleted);
  const deleted = await deleteTreeItems(
    ports,
    collection,
    live.map(({ id }) => id),
  );
  await feeds.remove(collection.key, feed);
  return deleted;
}
