import type { Subscription } from './subscription.ts';

/**
 * The subscriptions that fetchers are polling, by `pollKey`. If a lease is lost, two fetchers may request a
 * feed at the same time, and the result of one of them counts.
 */
export interface PollLeases {
  /** The keys that are leased. */
  list(): Promise<ReadonlySet<string>>;
  /** Leases keys for so many milliseconds, and returns those that were free. */
  take(keys: readonly string[], duration: number): Promise<readonly string[]>;
  /** Ends leases. One that cannot be ended expires. */
  end(keys: readonly string[]): Promise<void>;
}

export function pollKey({ collection, id }: Pick<Subscription, 'collection' | 'id'>): string {
  return `${collection}/${id}`;
}
