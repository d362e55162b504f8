import type { Dialect, Format } from '#xml';
import { sharingProtocolOf } from '#protocols';
import { sinceOf } from '#protocol';
import type { ComposedFeed, FeedVariant } from '#protocol';
import type { Collection } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { allSubscriptions } from '../subscriptions/all-subscriptions.ts';
import { feedValidators } from './validators.ts';
import type { FeedValidators } from './validators.ts';

/** One answer to a request for a feed, without its items. */
export type Feed = ComposedFeed & FeedValidators & { readonly dialect: Dialect };

/**
 * What a collection's feed says of itself now, by the rules of its protocol.
 * @param wanted the sequence to begin after, if the request says so
 * @param format one that the collection is published in
 */
export async function currentFeed(
  { publicUrl, clock, store }: Pick<GatewayPorts, 'publicUrl' | 'clock' | 'store'>,
  collection: Collection,
  variant: FeedVariant,
  format: Format,
  wanted?: number,
): Promise<Feed> {
  const { key, settings } = collection;
  const protocol = sharingProtocolOf(collection);
  const subscriptions = protocol.namesSubscriptions(settings) ? await allSubscriptions(store, key) : [];
  const now = clock.now();
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
  return { ...feed, dialect: protocol.dialect, ...feedValidators(feed.identity, feed.updated, now) };
}
