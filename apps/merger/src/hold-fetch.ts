import type { Manifest, Store } from '#core';

/** How long a fetch stays in progress after a sign of life of the merger, in milliseconds. */
const timeout = 90_000;

/**
 * Says that the merger works for a fetch, so that no other one begins meanwhile. Returns false if one has.
 */
export function holdFetch(
  { subscriptions }: Pick<Store, 'subscriptions'>,
  { collection, subscription, id }: Pick<Manifest, 'collection' | 'subscription' | 'id'>,
): Promise<boolean> {
  return subscriptions.renew(collection, subscription, id, timeout);
}
