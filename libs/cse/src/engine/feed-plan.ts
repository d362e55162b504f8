import type { Steps } from '#core';
import { actionOf, isNewer } from './feed.ts';
import type { Feed, Item, Link } from './feed.ts';

/** What a feed that has been fetched asks for. */
export interface FeedPlan {
  /** Whether it is newer than the cached feed; true if there is none. */
  readonly isNewer: boolean;
  /** What to download now, in document order, each URL once; never on demand. */
  readonly download: readonly Link[];
  /** What the cache then holds: the fetched feed, which is saved also if it is not newer. */
  readonly feed: Feed;
  /** The links of the cached feed that no item of the fetched one has, each URL once. */
  readonly dropped: readonly Link[];
}

/**
 * One turn of the loop that the specification prints (CSE, Sync Algorithm), for a feed: everything of a feed
 * that is not in the cache, the links of new and of newer items of a newer feed, and nothing of another.
 * Yields after every item.
 */
export function* planFeed(cached: Feed | undefined, fetched: Feed): Steps<FeedPlan> {
  const isFeedNewer = cached === undefined || isNewer(fetched, cached);
  const known = yield* newestItems(cached);
  const changed: Item[] = [];
  const still = new Set<string>();
  for (const item of fetched.items) {
    const before = known.get(item.id);
    if (isFeedNewer && (before === undefined || isNewer(item, before))) changed.push(item);
    for (const { url } of item.links) still.add(url);
    yield;
  }
  return {
    isNewer: isFeedNewer,
    download: yield* linksOf(changed, (link) => actionOf(link) !== 'none'),
    feed: fetched,
    dropped: yield* linksOf(cached?.items ?? [], ({ url }) => !still.has(url)),
  };
}

/** By identity; of those that share one, which is the publisher's error, the newest. */
function* newestItems(feed: Feed | undefined): Steps<Map<string, Item>> {
  const items = new Map<string, Item>();
  for (const item of feed?.items ?? []) {
    const other = items.get(item.id);
    if (other === undefined || isNewer(item, other)) items.set(item.id, item);
    yield;
  }
  return items;
}

/** In document order, each URL once: as a nested feed if one of its links says so. */
function* linksOf(items: readonly Item[], counts: (link: Link) => boolean): Steps<Link[]> {
  const links = new Map<string, Link>();
  for (const item of items) {
    for (const link of item.links) {
      const isBetter = link.nestedFeed && links.get(link.url)?.nestedFeed === false;
      if (counts(link) && (isBetter || !links.has(link.url))) links.set(link.url, link);
    }
    yield;
  }
  return [...links.values()];
}
