import { requestFinalize } from '#contracts';
import { isWhole } from '#core';
import type { Clock, JobQueue, Manifest, Store } from '#core';

export interface ReconcilePorts {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly clock: Clock;
}

interface ReconcileSettings {
  /** How long a manifest may be quiet while no merge or mirror job waits, in milliseconds. */
  readonly stalled: number;
  /** How long a manifest may be quiet at all, in milliseconds. */
  readonly maximumStalled: number;
  /** How many manifests are looked at in one go. */
  readonly limit: number;
}

/**
 * Finds fetches that were cut short. A manifest that is whole is finalized. A sealed one in which nothing
 * happens any more (its merge or mirror jobs are lost) is given up, and its feed is fetched again from the
 * same cursor. While a feed is being read, however slowly, its lease says so; once the lease of a dead
 * fetcher has run out the feed is due again by itself, and what is left of the former fetch is removed.
 */
export async function reconcileManifests(ports: ReconcilePorts, settings: ReconcileSettings): Promise<void> {
  const now = ports.clock.now().getTime();
  const backlog = (await ports.queue.backlog('merge')) + (await ports.queue.backlog('mirror'));
  const timeout = backlog > 0 ? settings.maximumStalled : settings.stalled;
  for (const manifest of await ports.store.manifests.unfinished(new Date(now - timeout), settings.limit)) {
    const { collection, id } = manifest;
    if (isWhole(manifest)) await ports.queue.send([requestFinalize(collection, id)]);
    else if (
      manifest.seal !== undefined ||
      (await isOver(ports, manifest)) ||
      now - manifest.touchedAt.getTime() > settings.maximumStalled
    )
      await giveUp(ports, manifest);
  }
}

/** Whether another fetch of the subscription has begun, or none can. */
async function isOver(
  { store }: ReconcilePorts,
  { collection, subscription, id }: Manifest,
): Promise<boolean> {
  const found = await store.subscriptions.find(collection, subscription);
  return found?.manifest !== id;
}

async function giveUp(
  { store, clock }: ReconcilePorts,
  { collection, subscription, id, openedAt }: Manifest,
): Promise<void> {
  const at = clock.now();
  await store.subscriptions.complete(collection, subscription, id, {
    report: {
      at,
      outcome: 'failed',
      rule: 'interrupted',
      cause: 'interrupted',
      reason: 'The fetch was interrupted before all its items were merged; it begins again.',
    },
    transfer: { startedAt: openedAt, bytes: 0 },
    nextFetchAt: at,
    nextFetchReason: 'the last fetch was interrupted',
  });
  await store.manifests.remove(collection, id);
}
