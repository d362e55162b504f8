import type { CollectionKey, Lease, PublishRequests } from '#core';
import type { PendingChanges } from './pending-changes.ts';
import { PublicationLease } from './publication-lease.ts';
import type { PublishPorts, PublishSettings } from './publish-ports.ts';

/** Where a run begins. */
export interface PublicationStart {
  readonly lease: PublicationLease;
  /** What is pending of the requests, if no other run can have published it meanwhile. */
  readonly pending?: PendingChanges;
}

/** How many collections are remembered. */
const maximumReleased = 10_000;

/** Remembers that a lease of this process has been released, for the next `startVacant`. */
export function rememberReleased({ released }: PublishPorts, { collection, epoch }: Lease): void {
  if (released === undefined) return;
  if (released.size >= maximumReleased) released.clear();
  released.set(collection, epoch);
}

/**
 * Begins where nobody has to be waited for and no block can be unfinished. What is pending must not be read
 * before another publication: it is read after the collection, or beside it if the last holder was of this
 * process. If another publication comes between that and the append, the place in the log is taken.
 */
export async function startVacant(
  ports: PublishPorts,
  settings: PublishSettings,
  key: CollectionKey,
  requests: PublishRequests,
): Promise<PublicationStart | undefined> {
  // Whoever requests everything may know that something is unfinished.
  if (requests.everything > 0) return undefined;
  const { collections, items } = ports.store;
  const epoch = ports.released?.get(key);
  const [vacant, early] = await Promise.all([
    collections.vacant(key),
    epoch === undefined ? undefined : items.pendingAmong(key, requests.ids),
  ]);
  if (vacant === undefined) return undefined;
  const { lease, collection } = vacant;
  if (collection.publication.relayed < collection.publication.sequence) return undefined;
  const found =
    early !== undefined && lease.epoch - 1 === epoch ? early : await items.pendingAmong(key, requests.ids);
  const pending = { items: found, notices: [], heads: [], isAll: true };
  return { lease: new PublicationLease(ports, vacant, settings.lease, false), pending };
}

/** Begins with a lease that is taken first; undefined if somebody else holds it. */
export async function startTaken(
  ports: PublishPorts,
  settings: PublishSettings,
  key: CollectionKey,
): Promise<PublicationStart | undefined> {
  const taken = await ports.store.collections.take(key, ports.holder, settings.lease);
  return taken && { lease: new PublicationLease(ports, taken, settings.lease, true) };
}

/** Ends the lease of an earlier run of this process, so that nobody waits until it has run out. */
export async function abandonLeft(
  { store, left }: PublishPorts,
  settings: PublishSettings,
  key: CollectionKey,
): Promise<void> {
  const holder = left?.get(key);
  if (holder === undefined) return;
  const lease = await store.collections.lease(key, holder, settings.lease);
  // A write of that run may still be on its way: abandoned, the lease has another epoch for the next holder.
  if (lease !== undefined) await store.collections.abandon(lease);
  left?.delete(key);
}
