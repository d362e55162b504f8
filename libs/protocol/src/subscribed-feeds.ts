import type { Related } from '#xml';
import { comparableUrl, withoutUserInfo } from '#core';
import type { Subscription } from '#core';

/**
 * The feeds of the active subscriptions as `sx:related` names them (FeedSync 2.3.1, SSE 2.2.2), each once.
 * One that is read with credentials, also in its address, is left out: it is a secret between us and that
 * publisher.
 */
export function aggregatedFeeds(subscriptions: readonly Subscription[]): readonly Related[] {
  const feeds = new Map<string, Related>();
  for (const { status, url, credentials, feed } of subscriptions) {
    const isPrivate = credentials !== undefined || withoutUserInfo(url) !== url;
    const link = comparableUrl(url);
    if (status !== 'active' || isPrivate || feeds.has(link)) continue;
    feeds.set(link, { link, type: 'aggregated', ...(feed?.title !== undefined && { title: feed.title }) });
  }
  return [...feeds.values()];
}

/**
 * The foreign markup at the feed level of all subscribed feeds (FeedSync 2.1.7), each distinct piece once.
 */
export function republishedMarkup(subscriptions: readonly Subscription[]): readonly string[] {
  return [...new Set(subscriptions.flatMap(({ feed }) => feed?.markup ?? []))];
}
