import { feedIdOf, feedsAbove, removeFeed } from '#items';
import { pagesOf, rootFeed } from '#core';
import type { Collection, CollectionKey, Manifest, Store, TreeFeed } from '#core';
import { holdFetch } from '../hold-fetch.ts';

/** How many documents, and feeds, are looked at in one go. */
const pageLength = 100;

interface RemovalPorts {
  readonly store: Store;
  now(): Date;
}

/** A fetch of a mirrored tree; `root` is the URL of its root. */
interface TreeFetch {
  readonly manifest: Pick<Manifest, 'id' | 'subscription'>;
  readonly root: string;
}

/**
 * Removes what nothing in a mirrored tree refers to any more, as the fetch with this manifest found: the
 * documents, then the feeds that no document stands for, with their items, which become tombstones. May run
 * twice and break off anywhere: what is left is found again.
 * @returns how many documents are gone; undefined if another fetch has taken over
 */
export async function removeDropped(
  ports: RemovalPorts,
  collection: Collection,
  { manifest, root }: TreeFetch,
): Promise<number | undefined> {
  const { documents } = ports.store;
  const isInFlight = (): Promise<boolean> =>
    holdFetch(ports.store, { ...manifest, collection: collection.key });
  let gone = 0;
  for (;;) {
    const page = await documents.dropped(collection.key, manifest.id, pageLength);
    if (page.length === 0) break;
    if (!(await isInFlight())) return undefined;
    await documents.remove(
      collection.key,
      page.map(({ url }) => url),
    );
    gone += page.length;
  }
  return (await removeFeeds(ports, collection, root, isInFlight)) ? gone : undefined;
}

/**
 * Removes the feeds that the tree does not have, unless readers are led to them still: an item stays as it
 * was until all that it says now is there. Returns false, and goes no further, if the fetch is over.
 */
async function removeFeeds(
  ports: RemovalPorts,
  collection: Collection,
  root: string,
  isInFlight: () => Promise<boolean>,
): Promise<boolean> {
  const { feeds, items } = ports.store;
  const pages = pagesOf(
    (page) => feeds.list(collection.key, page),
    ({ id }) => id,
    pageLength,
  );
  for await (const page of pages) {
    for (const feed of await orphanFeeds(ports.store, collection.key, root, page)) {
      if ((await feedsAbove(items, collection.key, [feed])).has(rootFeed)) continue;
      if (!(await isInFlight())) return false;
      await removeFeed(ports, collection, feed);
    }
  }
  return true;
}

/**
 * The ids of those feeds that no document stands for, as a feed and under this id. The root is none of them.
 */
async function orphanFeeds(
  { documents }: Store,
  collection: CollectionKey,
  root: string,
  feeds: readonly TreeFeed[],
): Promise<string[]> {
  const known = await documents.load(
    collection,
    feeds.flatMap(({ url }) => url ?? []),
  );
  return feeds.flatMap(({ id, url }) =>
    id === rootFeed || (url !== undefined && known.get(url)?.isFeed === true && feedIdOf(url, root) === id)
      ? []
      : [id],
  );
}
