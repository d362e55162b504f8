import type { CachedDocument } from './cached-document.ts';
import type { Feed, Item } from './feed.ts';

/**
 * A feed as a walk is to see it if somebody has requested links on demand: these do not wait to be asked
 * for any more. What stays the same is not copied.
 */
export function asRequested(feed: Feed, isAsked: (url: string) => boolean): Feed {
  const isChanged = ({ links }: Item): boolean => links.some(({ onDemand, url }) => onDemand && isAsked(url));
  if (!feed.items.some(isChanged)) return feed;
  return { ...feed, items: feed.items.map((item) => (isChanged(item) ? withLinks(item, isAsked) : item)) };
}

function withLinks(item: Item, isAsked: (url: string) => boolean): Item {
  return {
    ...item,
    links: item.links.map((link) =>
      link.onDemand && isAsked(link.url) ? { ...link, onDemand: false } : link,
    ),
  };
}

/** What a cache holds, each feed as `asRequested` shows it. */
export function cachedAsRequested(
  cached: ReadonlyMap<string, CachedDocument>,
  isAsked: (url: string) => boolean,
): ReadonlyMap<string, CachedDocument> {
  return new Map(
    [...cached].map(([url, document]) => [
      url,
      document.feed === undefined ? document : { ...document, feed: asRequested(document.feed, isAsked) },
    ]),
  );
}
