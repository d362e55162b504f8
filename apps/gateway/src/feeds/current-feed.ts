import type { Dialect } from '#xml';
import { sharingProtocolOf } from '#protocols';
import { sinceOf } from '#protocol';
import type { ComposedFeed } from '#protocol';
import type { Collection } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { allSubscriptions } from '../subscriptions/all-subscriptions.ts';
import type { FeedName } from './collection-feed.ts';
import { entityTag } from './validators.ts';
import type { FeedValidators } from './validators.ts';

/** One answer to a request for a feed, without its items. */
export interface Feed extends ComposedFeed, Pick<FeedValidators, 'etag'> {
  readonly dialect: Dialect;
}

/**
 * What a collection's feed says of itself now, by the rules of its protocol.
 * @param name its format is one that the collection is published in
 */
export async function currentFeed(
  { publicUrl, store }: Pick<GatewayPorts, 'publicUrl' | 'store'>,
  collection: Collection,
  { variant, format, wanted }: FeedName,
  now: Date,
): Promise<Feed> {
  const { key, settings } = collection;
  const protocol = sharingProtocolOf(collection);
  const shown = protocol.shownSubscriptions(settings);
  const filter = shown === 'with-markup' ? ({ hasMarkup: true } as const) : {};
  const subscriptions = shown === 'none' ? [] : await allSubscriptions(store, key, filter);
  const firstPublishedAt = protocol.statesPublicationTimes
    ? await store.items.publishedAfter(key, sinceOf(collection, variant, wanted))
    : undefined;
  const feed = protocol.composeFeed(collection, {
    variant,
    format,
    ...(wanted !== undefined && { wanted }),
    ...(firstPublishedAt && { firstPublishedAt }),
    subscriptions,
    publicUrl,
    now,
  });
  return { ...feed, dialect: protocol.dialect, etag: entityTag(feed.identity) };
}
