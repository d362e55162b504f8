import { requestPublish } from '#messages';
import type { SettleJob } from '#messages';
import { isWhole } from '#ports';
import type { Clock, JobQueue, Store } from '#ports';

export interface SettlePorts {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly clock: Clock;
}

/**
 * Ends a fetch whose items are all merged: the subscription's cursor moves to what the seal says, and only now. Where the fetch
 * was ended already, or another one has begun meanwhile, the cursor stays and nothing is announced.
 */
export async function settleManifest({ store, queue, clock }: SettlePorts, job: SettleJob): Promise<void> {
  const manifest = await store.manifests.find(job.collection, job.manifest);
  if (manifest === undefined || !isWhole(manifest)) return;
  const { seal, collection, subscription, id, rejected } = manifest;
  const at = clock.now();
  const isUnderWay = (await store.subscriptions.find(collection, subscription))?.manifest === id;
  if (!isUnderWay) return store.manifests.remove(collection, id);
  if (seal.items > seal.known || seal.resynced)
    await store.notices.add({ id, collection, subscription, type: seal.resynced ? 'resynced' : 'fetched', at });
  await store.subscriptions.settle(collection, subscription, id, {
    report: { at, outcome: 'fetched', items: seal.items, rejected },
    cursor: seal.cursor,
    nextFetchAt: seal.nextFetchAt,
    nextFetchReason: seal.nextFetchReason,
  });
  await store.manifests.remove(collection, id);
  await queue.send([requestPublish(collection)]);
}
