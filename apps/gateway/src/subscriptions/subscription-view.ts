import type { Subscription } from '#ports';

/** A subscription as it is shown. `feed` is what the feed says of itself, once it has been read; `last` how the last fetch went. */
export function subscriptionView(subscription: Subscription): Record<string, unknown> {
  const { collection, id, url, status, interval, nextFetchAt, nextFetchReason, failures, last, cursor, manifest, feed, createdAt } = subscription;
  return {
    collection, id, url, status, interval, nextFetchAt, nextFetchReason, isFetching: manifest !== undefined, failures, last, cursor,
    ...(feed && { feed: { title: feed.title, aggregated: feed.aggregated } }),
    createdAt,
  };
}
