import { feedItems } from '../../apps/gateway/src/feeds/feed-items.ts';
import { composeFeed } from '../../apps/gateway/src/feeds/feed.ts';
import type { FeedVariant } from '../../apps/gateway/src/feeds/feed-url.ts';
import { writeFeed } from '../../apps/gateway/src/feeds/write-feed.ts';
import type { CaseEndpoint } from './case-endpoint.ts';

/** One of the feeds of an endpoint's collection, as it is served. */
export async function publishedText(endpoint: CaseEndpoint, variant: FeedVariant): Promise<string> {
  const collection = await endpoint.collection();
  const feed = composeFeed(collection, variant, undefined, endpoint.publicUrl, endpoint.clock.now());
  let text = '';
  for await (const piece of writeFeed(feed, feedItems(endpoint, collection, feed))) text += piece;
  return text;
}
