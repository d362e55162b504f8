import { requestFetch } from '#contracts';
import { hostOf } from '#core';
import type { FetchError, NextFetch, Store, Subscription } from '#core';
import type { Hosts } from './hosts.ts';

/**
 * Seconds until a subscription is tried again whose feed led to a host without a free connection; up to twice
 * as many by accident.
 */
const busyWait = 10;

/** A host that a subscription may be fetched from, and how to give back the slot that was taken there. */
interface Admission {
  readonly host: string;
  readonly slot: () => void;
}

/**
 * Takes a slot of a subscription's host; returns undefined if it may not be fetched now. If the host is
 * paused, all subscriptions there are postponed to the end of the pause.
 * @param waits whether its job waits in `hosts` if the host has no free slot
 */
export async function admitFetch(
  { subscriptions }: Pick<Store, 'subscriptions'>,
  hosts: Hosts,
  now: Date,
  { collection, id, url }: Pick<Subscription, 'collection' | 'id' | 'url'>,
  waits: boolean,
): Promise<Admission | undefined> {
  const host = hostOf(url);
  const access = hosts.access(host);
  if (access === 'open') return { host, slot: hosts.take(host) };
  if (access === 'busy' && waits) hosts.wait(host, requestFetch(collection, id));
  const pause = hosts.pauseOf(host);
  if (pause !== undefined)
    await subscriptions.postponeHost(host, afterPause(pause), returnSpread(pause, now));
  return undefined;
}

/**
 * When to fetch again after a pause.
 * @param later milliseconds after its end, so that those which wait for it do not come back together
 */
export function afterPause(
  { until, reason }: { readonly until: Date; readonly reason: string },
  later = 0,
): NextFetch {
  return { nextFetchAt: new Date(until.getTime() + Math.round(later)), nextFetchReason: reason };
}

/** Over how many milliseconds those that wait for a pause come back: as long again as it still lasts. */
export function returnSpread({ until }: { readonly until: Date }, now: Date): number {
  return Math.max(0, until.getTime() - now.getTime());
}

/**
 * When to try again a fetch that came to a host, such as one that its feed redirects to, which is paused or
 * has no free slot; undefined for any other error. Such a fetch has not failed.
 */
export function untilHostIsFree(
  { rule, host = '', retryAfter, message }: FetchError,
  hosts: Pick<Hosts, 'pauseOf'> | undefined,
  { now, fraction }: { readonly now: Date; readonly fraction: number },
): NextFetch | undefined {
  if (rule !== 'host-busy' && rule !== 'host-paused') return undefined;
  const pause = hosts?.pauseOf(host);
  if (pause !== undefined) return afterPause(pause, returnSpread(pause, now) * fraction);
  const reason =
    retryAfter === undefined ? `${host} had no free connection (FETCH_CONNECTIONS_PER_HOST)` : message;
  const wait = Math.max(busyWait, retryAfter ?? 0) * (1 + fraction) * 1000;
  return { nextFetchAt: new Date(now.getTime() + Math.round(wait)), nextFetchReason: reason };
}
