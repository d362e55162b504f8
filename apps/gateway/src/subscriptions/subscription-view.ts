import type { Subscription } from '#ports';

/** A subscription as it is shown. */
export function subscriptionView(subscription: Subscription): Record<string, unknown> {
  const { collection, id, url, status, interval, nextFetchAt, nextFetchReason, failures, last, cursor, manifest, createdAt } = subscription;
  return { collection, id, url, status, interval, nextFetchAt, nextFetchReason, isFetching: manifest !== undefined, failures, last, cursor, createdAt };
}
