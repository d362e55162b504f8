import { currentFeed } from '../../apps/gateway/src/feeds/current-feed.ts';
import { feedItems } from '../../apps/gateway/src/feeds/feed-items.ts';
import type { FeedVariant } from '#protocol';
import { writeFeed } from '../../apps/gateway/src/feeds/write-feed.ts';
import type { CaseEndpoint } from './case-endpoint.ts';

/** One of the feeds of an endpoint's collection in its own format, as it is served. */
export async function publishedText(endpoint: CaseEndpoint, variant: FeedVariant): Promise<string> {
  const collection = await endpoint.collection();
  const feed = await currentFeed(
    endpoint,
    collection,
    { variant, format: collection.format },
    endpoint.clock.now(),
  );
  let text = '';
  for await (const piece of writeFeed(feed, feedItems(endpoint, collection, feed))) text += piece.text;
  return text;
}
