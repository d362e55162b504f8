import { feedIdOf, removeFeed } from '#items';
import type { Collection, Manifest, Store } from '#ports';

/** How many documents are removed in one go. */
const pageLength = 100;

/** How long the fetch stays under way while one page is removed, in milliseconds. */
const pagePatience = 90_000;

/**
 * Removes what nothing in a mirrored tree refers to any more, as the fetch with this manifest found: of a feed its items, which become
 * tombstones, and the feed itself, then the document. May run twice and break off anywhere: what is left is found again.
 * @param root the URL of the root of the tree
 * @returns how many documents are gone; undefined where another fetch has taken over
 */
export async function removeDropped(ports: { readonly store: Store; now(): Date }, collection: Collection, { manifest: { id, subscription }, root }: { readonly manifest: Pick<Manifest, 'id' | 'subscription'>; readonly root: string }): Promise<number | undefined> {
  const { documents, subscriptions } = ports.store;
  for (let gone = 0; ;) {
    const page = await documents.dropped(collection.name, id, pageLength);
    if (page.length === 0) return gone;
    // First, so that a feed which is linked to again after a crash in here is mirrored again.
    await documents.forget(collection.name, page.map(({ url }) => url));
    // One that was read as a feed once and is a file now may have items all the same.
    for (const { url, isFeed, merged } of page) {
      if (!isFeed && merged === undefined) continue;
      if (!(await subscriptions.prolong(collection.name, subscription, id, pagePatience))) return undefined;
      await removeFeed(ports, collection, feedIdOf(url, root));
    }
    if (!(await subscriptions.prolong(collection.name, subscription, id, pagePatience))) return undefined;
    await documents.remove(collection.name, page.map(({ url }) => url));
    gone += page.length;
  }
}
