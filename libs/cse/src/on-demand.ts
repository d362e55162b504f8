import type { Feed } from './feed.ts';

/** A feed as a walk is to see it where somebody has asked for links on demand: these do not wait to be asked for any more. */
export function asAskedFor(feed: Feed, isAsked: (url: string) => boolean): Feed {
  const items = feed.items.map((item) => ({ ...item, links: item.links.map((link) => (link.onDemand && isAsked(link.url) ? { ...link, onDemand: false } : link)) }));
  return { ...feed, items };
}
