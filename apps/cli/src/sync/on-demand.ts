import type { CachedDocument, Feed } from '#cse';

/** A feed as the walk is to see it where links on demand are asked for: none of them waits to be asked for any more. */
export function withLinksAskedFor(feed: Feed): Feed {
  const items = feed.items.map((item) => ({ ...item, links: item.links.map((link) => ({ ...link, onDemand: false })) }));
  return { ...feed, items };
}

/** What a cache holds, with its feeds so. */
export function withFeedsAskedFor(cached: ReadonlyMap<string, CachedDocument>): ReadonlyMap<string, CachedDocument> {
  return new Map([...cached].map(([url, document]) => [url, document.feed === undefined ? document : { ...document, feed: withLinksAskedFor(document.feed) }]));
}
