import { feedUrl } from '#protocol';
import type { FeedVariant } from '#protocol';
import { formatCursor } from '#contracts';
import type { Collection } from '#core';
import type { Format } from '#xml';
import type { GatewayPorts } from '../gateway-ports.ts';
import { currentFeed } from './current-feed.ts';
import type { RequestedFeed } from './feed-cache.ts';
import { feedItems } from './feed-items.ts';
import { mediaTypes } from './media-types.ts';
import { writeFeed } from './write-feed.ts';

/** Which feed of a collection a request names. */
export interface FeedName {
  readonly variant: FeedVariant;
  /** One that the collection is published in. */
  readonly format: Format;
  /** The sequence to begin after, if the request names one. */
  readonly wanted?: number;
}

/**
 * How long a feed is kept at the most: in milliseconds, and as a share of the time after which its readers
 * may miss an update. Its head says when that is, counted from when it was composed.
 */
const longestAge = 60_000;
const shareOfExpiry = 0.1;

/** A feed of a collection. What it is composed from is stored with the collection. */
export function collectionFeed(
  ports: Pick<GatewayPorts, 'store' | 'publicUrl'>,
  collection: Collection,
  name: FeedName,
): RequestedFeed {
  const { key, settings } = collection;
  const { variant, format, wanted } = name;
  const since = wanted === undefined ? '' : `?since=${formatCursor(wanted)}`;
  return {
    collection,
    path: feedUrl('', { key, format }, variant) + since,
    source: JSON.stringify(shownOf(collection)),
    readSource: async () => {
      const found = await ports.store.collections.find(key);
      return found && JSON.stringify(shownOf(found));
    },
    compose: async (now) => {
      const feed = await currentFeed(ports, collection, name, now);
      return {
        etag: feed.etag,
        updated: feed.updated,
        mediaType: mediaTypes[format],
        keptFor: Math.min(longestAge, settings.expiresAfter * 1000 * shareOfExpiry),
        text: () => writeFeed(feed, feedItems(ports, collection, feed)),
      };
    },
  };
}

/** What of a collection its feeds may show: all but how far its changes are relayed. */
export function shownOf({ publication: { relayed: _relayed, ...publication }, ...collection }: Collection) {
  return { ...collection, publication };
}
