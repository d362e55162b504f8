import { formatCursor } from '#messages';
import type { Collection } from '#ports';
import { feedUrl, feedUrls } from '../feeds/feed-url.ts';
import { shownSettings } from './collection-settings.ts';

/** A collection as it is shown. `cursor` is where its changes have got to; `links.feed` is the feed in its own format. */
export function collectionView(collection: Collection, publicUrl: string): Record<string, unknown> {
  const { name, title, protocol, format, endpoint, publication, createdAt } = collection;
  const self = `${publicUrl}/v1/collections/${name}`;
  return {
    name,
    title,
    protocol,
    format,
    endpoint,
    settings: shownSettings(collection),
    cursor: formatCursor(publication.sequence),
    publishedAt: publication.updatedAt,
    createdAt,
    links: {
      self,
      items: `${self}/items`,
      ...(format === 'opml' && { outline: `${self}/outline` }),
      conflicts: `${self}/conflicts`,
      subscriptions: `${self}/subscriptions`,
      changes: `${self}/changes`,
      feed: feedUrl(publicUrl, collection, 'partial'),
      completeFeed: feedUrl(publicUrl, collection, 'complete'),
      feeds: feedUrls(publicUrl, collection, 'partial'),
      completeFeeds: feedUrls(publicUrl, collection, 'complete'),
      discoveredFeeds: `${self}/discovered-feeds`,
    },
  };
}
