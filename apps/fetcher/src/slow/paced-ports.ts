import type { Subscription } from '#core';
import type { FetchPorts } from '../fetch-ports.ts';
import { FetchPace } from './fetch-pace.ts';

/**
 * The ports of one fetch, which have its pace, to be ended with it. Undefined if its subscription is slow and
 * no place is free for it.
 */
export function pacedPorts(
  ports: FetchPorts,
  { isSlow = false }: { readonly isSlow?: boolean },
): FetchPorts | undefined {
  const { slow, http } = ports;
  if (slow === undefined) return ports;
  const pace = isSlow ? FetchPace.ofSlow(slow) : new FetchPace(slow);
  if (pace === undefined) return undefined;
  return { ...ports, pace, http: { get: (request) => http.get({ ...request, waits: pace }) } };
}

/** Waits for the end of a fetch, or until it has a place among the slow ones. */
export async function untilDetached(work: Promise<void>, pace: FetchPace | undefined): Promise<void> {
  await Promise.race(pace === undefined ? [work] : [work, pace.detached]);
}

/** Keeps at the subscription if this fetch is slow, as soon as that is known, or is so no more at its end. */
export async function noteSlowness(
  { store, pace }: Pick<FetchPorts, 'store' | 'pace'>,
  subscription: Subscription,
  fetch: () => Promise<void>,
): Promise<void> {
  const { isSlow = false } = subscription;
  const { subscriptions } = store;
  if (!isSlow) void pace?.slow.then(() => subscriptions.noteSlow(subscription, true)).catch(() => {});
  await fetch();
  if (isSlow && pace?.hasWaited === true && !pace.isSlow) await subscriptions.noteSlow(subscription, false);
}
