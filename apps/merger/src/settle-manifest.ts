import { requestPublish } from '#messages';
import type { SettleJob } from '#messages';
import { isWhole, reportedBreaches } from '#ports';
import type { Clock, JobQueue, Manifest, Store } from '#ports';
import { sweep } from './sweep.ts';

export interface SettlePorts {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly clock: Clock;
}

/**
 * Ends a fetch whose items are all merged: what a resynced publisher no longer has is discarded, then the subscription's cursor
 * moves to what the seal says, and only now. Where the fetch was ended already, or another one has begun meanwhile, the cursor
 * stays and nothing is announced.
 */
export async function settleManifest({ store, queue, clock }: SettlePorts, job: SettleJob): Promise<void> {
  const manifest = await store.manifests.find(job.collection, job.manifest);
  if (manifest === undefined || !isWhole(manifest)) return;
  const { seal, collection, subscription, id, rejected } = manifest;
  const at = clock.now();
  const isUnderWay = (await store.subscriptions.find(collection, subscription))?.manifest === id;
  const discarded = isUnderWay ? await discardedBy(store, manifest, seal.resynced) : undefined;
  if (discarded === undefined) return store.manifests.remove(collection, id);
  if (seal.resynced) await store.notices.add({ id, collection, subscription, type: 'resynced', at, discarded });
  else if (seal.items > seal.known) await store.notices.add({ id, collection, subscription, type: 'fetched', at });
  const breaches = [...(seal.breaches ?? []), ...(manifest.breaches ?? [])].slice(0, reportedBreaches);
  await store.subscriptions.settle(collection, subscription, id, {
    report: { at, outcome: 'fetched', items: seal.items, rejected, ...(breaches.length > 0 && { breaches }) },
    cursor: seal.cursor,
    ...(seal.feed && { feed: seal.feed }),
    nextFetchAt: seal.nextFetchAt,
    nextFetchReason: seal.nextFetchReason,
  });
  await store.manifests.remove(collection, id);
  await queue.send([requestPublish(collection)]);
}

/** How many items a fetch discards; undefined where it is no longer under way. */
async function discardedBy(store: Store, manifest: Manifest, resynced: boolean): Promise<number | undefined> {
  if (!resynced) return 0;
  const collection = await store.collections.find(manifest.collection);
  return collection && sweep(store, collection, manifest);
}
