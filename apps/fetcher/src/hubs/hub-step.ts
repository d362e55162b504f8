import type { HubSubscription, Subscription } from '#core';

/** What is to be done about a subscription at a hub. To renew one is to subscribe again. */
export type HubStep = 'subscribe' | 'unsubscribe' | 'forget';

/** How often the end of a subscription is announced to a hub that does not verify it. */
const mostGoodbyes = 4;

/** The longest wait between two requests that lead to nothing, in seconds: a day. */
const longestWait = 86_400;

/** How far a wait may be longer, as a share of it: what failed together does not return together. */
const jitter = 0.5;

/**
 * Decides what is to be done about a subscription at a hub that is due. One that is no longer wanted is ended
 * if the hub may know of it.
 * @param subscription what it is for; undefined if that has been removed
 * @param callbacks what its callback begins with now; undefined if WebSub is off
 */
export function hubStep(
  row: HubSubscription,
  subscription: Pick<Subscription, 'status' | 'hub'> | undefined,
  callbacks: string | undefined,
  now: Date,
): HubStep {
  const isReached = callbacks !== undefined && row.callback === callbacks + row.token;
  if (isNamed(row, subscription) && isReached && subscription?.status === 'active') return 'subscribe';
  const isKnown = row.pending !== undefined || (row.leasedUntil ?? now) > now;
  const isGivenUp = row.pending === 'unsubscribe' && row.attempts >= mostGoodbyes;
  return isKnown && !isGivenUp ? 'unsubscribe' : 'forget';
}

/** Whether the feed of a subscription names this hub and topic. */
export function isNamed(
  { hub, topic }: Pick<HubSubscription, 'hub' | 'topic'>,
  subscription: Pick<Subscription, 'hub'> | undefined,
): boolean {
  return subscription?.hub?.url === hub && subscription.hub.topic === topic;
}

/** When a request is sent again, and until when a verification is awaited. */
interface HubWait {
  readonly now: Date;
  /** From 0 (included) to 1 (excluded). */
  readonly fraction: number;
  /** Seconds of the first wait; each further one is twice as long, up to a day. */
  readonly retry: number;
}

/** The subscription while a request is being sent: before that, since a hub may verify at once. */
export function requested(
  row: HubSubscription,
  mode: NonNullable<HubSubscription['pending']>,
  { now, fraction, retry }: HubWait,
): HubSubscription {
  const isRepeated = (mode === 'unsubscribe') === (row.pending === 'unsubscribe');
  const attempts = isRepeated ? row.attempts + 1 : 1;
  const wait = Math.min(retry * 2 ** Math.min(attempts - 1, 30), longestWait) * (1 + jitter * fraction);
  return { ...row, pending: mode, attempts, nextAt: new Date(now.getTime() + Math.round(wait * 1000)) };
}

/** The same once the request has failed: the hub has nothing to verify but an end. */
export function refused({ pending, ...row }: HubSubscription): HubSubscription {
  return { ...row, ...(pending === 'unsubscribe' && { pending }) };
}
