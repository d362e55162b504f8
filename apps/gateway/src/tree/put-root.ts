import { rootFeed } from '#core';
import type { Collection } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { mirrored } from '#items';

/**
 * Makes the root of a tree if there is none.
 * @param title what it is called from now on, if that is said; that of a mirror is its publisher's
 */
export async function putRoot(
  { store, clock, jobs }: GatewayPorts,
  collection: Collection,
  title?: string,
): Promise<void> {
  const { key } = collection;
  const root = (await store.feeds.load(key, [rootFeed])).get(rootFeed);
  if (root === undefined)
    await store.feeds.put({
      collection: key,
      id: rootFeed,
      title: collection.title,
      head: [],
      createdAt: clock.now(),
    });
  else if (title !== undefined && title !== root.title && (await mirrored(store, key)) === undefined) {
    await store.feeds.put({ ...root, title });
    jobs.publish(key);
  }
}
