import { feedAddress } from '#cse';
import { isFeedTree } from '#protocols';
import type { Collection, TreeFeed } from '#core';
import type { RequestedFeed } from '../feeds/feed-cache.ts';
import { mediaTypes } from '../feeds/media-types.ts';
import { entityTag } from '../feeds/validators.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { writeTreeFeed } from './write-tree-feed.ts';

/**
 * A feed of a tree, from a record that is read before any of its items is. Its date is the one that has been
 * carried up to it, and every change that readers are to see raises it; so its record says what it is.
 */
export function treeFeed(
  ports: Pick<GatewayPorts, 'store' | 'publicUrl'>,
  collection: Collection,
  feed: TreeFeed,
): RequestedFeed {
  const { key } = collection;
  const { id, publishedAt } = feed;
  return {
    collection,
    path: feedAddress('', key, id),
    source: sourceOf(collection, feed),
    readSource: async () => {
      const [current, feeds] = await Promise.all([
        ports.store.collections.find(key),
        ports.store.feeds.load(key, [id]),
      ]);
      const found = feeds.get(id);
      return current !== undefined && found !== undefined && isFeedTree(current)
        ? sourceOf(current, found)
        : undefined;
    },
    compose: async () => ({
      etag: treeFeedTag(collection, feed),
      updated: publishedAt,
      mediaType: mediaTypes.rss,
      text: () => writeTreeFeed(ports, collection, feed),
    }),
  };
}

/** The ETag of a feed of a tree: another one after every change that readers are to see. */
export function treeFeedTag({ settings }: Pick<Collection, 'settings'>, feed: TreeFeed): string {
  const { title, head, publishedAt, createdAt } = feed;
  return entityTag([title, head, settings.links, publishedAt, createdAt]);
}

/** Of the collection only what its feeds show: its publication moves with every feed of the tree. */
function sourceOf({ createdAt, format, settings, isPublic }: Collection, feed: TreeFeed): string {
  return JSON.stringify([createdAt, format, settings, isPublic, feed]);
}
