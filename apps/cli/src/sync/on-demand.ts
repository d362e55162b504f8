import { asAskedFor } from '#cse';
import type { CachedDocument, Feed } from '#cse';

/** A feed as the walk is to see it where all links on demand are asked for. */
export function withLinksAskedFor(feed: Feed): Feed {
  return asAskedFor(feed, () => true);
}

/** What a cache holds, with its feeds so. */
export function withFeedsAskedFor(
  cached: ReadonlyMap<string, CachedDocument>,
): ReadonlyMap<string, CachedDocument> {
  return new Map(
    [...cached].map(([url, document]) => [
      url,
      document.feed === undefined ? document : { ...document, feed: withLinksAskedFor(document.feed) },
    ]),
  );
}
