import { feedItems } from '../../../apps/gateway/src/feeds/feed-items.ts';
import type { FeedVariant } from '../../../apps/gateway/src/feeds/feed-url.ts';
import { composeSseFeed, sinceOf } from '../../../apps/gateway/src/feeds/sse-feed.ts';
import { writeFeed } from '../../../apps/gateway/src/feeds/write-feed.ts';
import type { CaseEndpoint } from '../case-endpoint.ts';

/** One of the feeds of an endpoint's collection, as it is served. */
export async function publishedText(endpoint: CaseEndpoint, variant: FeedVariant): Promise<string> {
  const { store, publicUrl, clock } = endpoint;
  const collection = await endpoint.collection();
  const firstPublishedAt = await store.items.publishedAfter(collection.name, sinceOf(collection, variant, undefined));
  const feed = composeSseFeed(collection, { variant, wanted: undefined, firstPublishedAt, subscriptions: [], publicUrl, now: clock.now() });
  let text = '';
  for await (const piece of writeFeed(feed, feedItems({ store, publicUrl }, collection, feed))) text += piece;
  return text;
}
