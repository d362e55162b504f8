import { parseUrl } from '#xml';
import { comparableUrl, compareCodePoints } from '#core';
import type { Collection, Subscription } from '#core';
import { feedUrls } from '../feeds/feed-url.ts';

/** A feed that subscribed feeds have incorporated (FeedSync 2.3.1), and that one might also subscribe to. */
interface DiscoveredFeed {
  readonly url: string;
  readonly title?: string;
  /** The subscriptions whose feeds name it. */
  readonly foundIn: readonly string[];
}

/** The aggregated feeds that a collection neither subscribes to nor publishes itself, in order of address. */
export function discoveredFeeds(
  collection: Collection,
  subscriptions: readonly Subscription[],
  publicUrl: string,
): DiscoveredFeed[] {
  const known = new Set([
    ...subscriptions.map(({ url }) => comparableUrl(url)),
    ...(['partial', 'complete'] as const).flatMap((variant) =>
      Object.values(feedUrls(publicUrl, collection, variant)).map(comparableUrl),
    ),
  ]);
  const found = new Map<string, { title?: string; foundIn: Set<string> }>();
  for (const { id, feed } of subscriptions) {
    for (const { link, title } of feed?.aggregated ?? []) {
      if (!isFetchable(link)) continue;
      const url = comparableUrl(link);
      if (known.has(url)) continue;
      const discovered = found.get(url) ?? { foundIn: new Set() };
      found.set(url, discovered);
      discovered.foundIn.add(id);
      if (title !== undefined) discovered.title ??= title;
    }
  }
  return [...found]
    .map(([url, { title, foundIn }]) => ({
      url,
      ...(title !== undefined && { title }),
      foundIn: [...foundIn],
    }))
    .toSorted((a, b) => compareCodePoints(a.url, b.url));
}

/** Others write these addresses: what can't be subscribed to is no offer. */
function isFetchable(link: string): boolean {
  return /^https?:$/.test(parseUrl(link)?.protocol ?? '');
}
