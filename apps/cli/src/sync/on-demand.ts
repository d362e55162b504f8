import { asRequested } from '#cse';
import type { CachedDocument, Feed } from '#cse';

/** A feed as the walk is to see it where all links on demand are requested. */
export function withRequestedLinks(feed: Feed): Feed {
  return asRequested(feed, () => true);
}

/** What a cache holds, with its feeds so. */
export function withRequestedFeeds(
  cached: ReadonlyMap<string, CachedDocument>,
): ReadonlyMap<string, CachedDocument> {
  return new Map(
    [...cached].map(([url, document]) => [
      url,
      document.feed === undefined ? document : { ...document, feed: withRequestedLinks(document.feed) },
    ]),
  );
}
