import { hostOf } from '#core';
import type { LeasedBatch, Subscription } from '#core';
import { DueFrom } from './due-from.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { fetchLeased } from './fetch-subscription.ts';
import { afterPause, returnSpread } from './hosts/admit-fetch.ts';
import { withSlot } from './hosts/with-slot.ts';

/**
 * Leases what is due, at most so many, of each host as many as it has free slots for, and of the slow ones as
 * many as there are places for. Each one must be passed to `fetchAtHost` or released.
 * @param dueFrom knows the looks before, and notes this one
 */
export async function leaseDue(
  { store, clock, random, hosts, slow }: FetchPorts,
  { lease }: FetchSettings,
  limit: number,
  dueFrom = new DueFrom(),
): Promise<LeasedBatch> {
  const exceptHosts = hosts?.occupied ?? [];
  const now = clock.now();
  const from = dueFrom.at(now);
  const { subscriptions, isMore, earliest } = await store.subscriptions.leaseDue(now, {
    batch: random.identifier(),
    limit,
    duration: lease,
    exceptHosts,
    ...(hosts && { freeAt: (host) => hosts.freeAt(host) }),
    ...(from && { dueFrom: from }),
    ...(slow && { slow: slow.free }),
  });
  dueFrom.note(from, now, clock.now(), earliest);
  return { subscriptions, isMore: isMore || exceptHosts.length > 0 };
}

/**
 * Fetches a subscription that was leased, as `fetchSubscription` does. If its host has been paused or its
 * last slot taken meanwhile, it is released.
 */
export async function fetchAtHost(
  ports: FetchPorts,
  settings: FetchSettings,
  subscription: Subscription,
): Promise<void> {
  const { store, hosts } = ports;
  if (hosts === undefined) return fetchWithSlot(ports, settings, subscription);
  const host = hostOf(subscription.url);
  if (hosts.access(host) === 'open') {
    const slot = hosts.take(host);
    try {
      return await fetchWithSlot(
        { ...ports, http: withSlot(ports.http, host, slot) },
        settings,
        subscription,
      );
    } finally {
      slot();
    }
  }
  const pause = hosts.pauseOf(host);
  const { nextFetchAt, nextFetchReason } = subscription;
  const now = ports.clock.now();
  const spread = pause === undefined ? 0 : returnSpread(pause, now);
  const next =
    pause === undefined
      ? { nextFetchAt, nextFetchReason }
      : afterPause(pause, spread * ports.random.fraction());
  const { collection, id, manifest = '' } = subscription;
  await store.subscriptions.release(collection, id, manifest, next);
  if (pause !== undefined) await store.subscriptions.postponeHost(host, afterPause(pause), spread);
}

async function fetchWithSlot(
  ports: FetchPorts,
  settings: FetchSettings,
  subscription: Subscription,
): Promise<void> {
  const collection = await ports.store.collections.find(subscription.collection);
  // A collection is removed with its subscriptions.
  if (collection !== undefined) await fetchLeased(ports, settings, collection, subscription);
}

/** Leases what is due, at most so many, and fetches it, one after another. */
export async function fetchDue(ports: FetchPorts, settings: FetchSettings, limit: number): Promise<void> {
  ports.hosts?.resumeAll();
  for (const subscription of (await leaseDue(ports, settings, limit)).subscriptions)
    await fetchAtHost(ports, settings, subscription);
}
