import type { CollectionView } from '#contracts';
import { feedUrl } from '#protocol';
import { isFeedTree } from '#protocols';
import { formatCursor } from '#contracts';
import { nameOf } from '#core';
import type { Collection } from '#core';
import { feedUrls, readerFeedUrls } from '../feeds/feed-url.ts';
import { shownSettings } from './collection-settings.ts';

/**
 * A collection as it is shown. `cursor` is where its changes have got to; `links.feed` is the feed in its own
 * format, of a tree that at the root; `links.readerFeeds` are absent for outlines.
 */
export function collectionView(
  collection: Collection,
  publicUrl: string,
  counts?: CollectionView['counts'],
): CollectionView {
  const { key, title, protocol, format, endpoint, retiredEndpoints, publication, createdAt } = collection;
  const self = `${publicUrl}/v1/collections/${nameOf(key)}`;
  return {
    name: nameOf(key),
    title,
    protocol,
    format,
    endpoint,
    ...(retiredEndpoints && { retiredEndpoints }),
    settings: shownSettings(collection),
    visibility: collection.isPublic === true ? 'public' : 'private',
    cursor: formatCursor(publication.sequence),
    publishedAt: publication.updatedAt?.toISOString(),
    createdAt: createdAt.toISOString(),
    ...(counts && { counts }),
    links: {
      self,
      items: `${self}/items`,
      subscriptions: `${self}/subscriptions`,
      changes: `${self}/changes`,
      feed: feedUrl(publicUrl, collection, 'partial'),
      readerFeeds: readerFeedUrls(publicUrl, collection),
      ...(isFeedTree(collection) ? treeLinks(self) : sharedLinks(collection, self, publicUrl)),
    },
  };
}

function sharedLinks(
  collection: Collection,
  self: string,
  publicUrl: string,
): Partial<CollectionView['links']> & Pick<CollectionView['links'], 'feeds'> {
  return {
    ...(collection.format === 'opml' && { outline: `${self}/outline` }),
    conflicts: `${self}/conflicts`,
    completeFeed: feedUrl(publicUrl, collection, 'complete'),
    feeds: feedUrls(publicUrl, collection, 'partial'),
    completeFeeds: feedUrls(publicUrl, collection, 'complete'),
    discoveredFeeds: `${self}/discovered-feeds`,
  };
}

function treeLinks(self: string): Partial<CollectionView['links']> & Pick<CollectionView['links'], 'feeds'> {
  return {
    tree: `${self}/tree`,
    feeds: `${self}/feeds`,
    files: `${self}/files`,
    documents: `${self}/documents`,
  };
}
