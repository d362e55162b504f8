import type { Format } from '#feed-xml';
import type { Collection } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { allSubscriptions } from '../subscriptions/all-subscriptions.ts';
import { composeFeed } from './feed.ts';
import type { Feed } from './feed.ts';
import type { FeedVariant } from './feed-url.ts';
import { composeSseFeed, sinceOf } from './sse-feed.ts';

/**
 * What a collection's feed says of itself now, by the rules of its protocol.
 * @param wanted the sequence to begin after, where the request says so
 * @param format one that the collection is published in
 */
export async function currentFeed(
  { publicUrl, clock, store }: Pick<GatewayPorts, 'publicUrl' | 'clock' | 'store'>,
  collection: Collection,
  variant: FeedVariant,
  format: Format,
  wanted?: number,
): Promise<Feed> {
  const { name, protocol, settings } = collection;
  // The head of an SSE feed says nothing else of what is subscribed to.
  const subscriptions =
    protocol === 'feedsync' || settings.listSubscriptions === true ? await allSubscriptions(store, name) : [];
  const now = clock.now();
  if (protocol === 'feedsync')
    return composeFeed(collection, variant, wanted, publicUrl, now, { format, subscriptions });
  const firstPublishedAt = await store.items.publishedAfter(name, sinceOf(collection, variant, wanted));
  return composeSseFeed(collection, { variant, wanted, firstPublishedAt, subscriptions, publicUrl, now });
}
