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
