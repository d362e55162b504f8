import type { CollectionKey } from '#contracts';
import type { Subscription } from './subscription.ts';

/** How a subscription is, for those who watch over many; each has one state. */
export const subscriptionStates = ['ok', 'slow', 'late', 'failing', 'gone', 'paused', 'new'] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/**
 * Returns the state of a subscription. It is `failing` after a fetch that failed, until one succeeds; `slow`
 * if its server is, also if its last fetch was given up because of that; `late`
 * if it has been due since before `lateBefore` and is not being fetched; `new` until a fetch has succeeded
 * or failed.
 */
export function subscriptionState(
  { status, failures, last, isSlow, nextFetchAt, manifest, succeededAt }: Subscription,
  lateBefore: Date,
): SubscriptionState {
  if (status !== 'active') return status;
  if (failures > 0) return last?.cause === 'slow' ? 'slow' : 'failing';
  if (isSlow) return 'slow';
  if (nextFetchAt < lateBefore && manifest === undefined) return 'late';
  return succeededAt === undefined ? 'new' : 'ok';
}

/** The counts of a collection that has no subscription. */
export const noSubscriptions: Readonly<Record<SubscriptionState, number>> = {
  ok: 0,
  slow: 0,
  late: 0,
  failing: 0,
  gone: 0,
  paused: 0,
  new: 0,
};

/** Which subscriptions are meant: those that fit all that is given. */
export interface SubscriptionFilter {
  /** Those of all collections if absent. */
  readonly collection?: CollectionKey;
  readonly state?: SubscriptionState;
  /** Why the last fetch failed (`FetchReport.cause`). */
  readonly cause?: string;
  /** Those that are due since before are late. */
  readonly lateBefore: Date;
}

/** How many subscriptions there are. */
export interface SubscriptionCounts {
  readonly states: Readonly<Record<SubscriptionState, number>>;
  /** Of those whose last fetch failed, by cause (`FetchReport.cause`). */
  readonly causes: Readonly<Record<string, number>>;
}
