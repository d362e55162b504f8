import { arrangeCollection, isOrdered, protocols } from '#items';
import { requestPublish } from '#messages';
import type { SettleJob } from '#messages';
import { isWhole, reportedBreaches } from '#ports';
import type { Collection, Manifest } from '#ports';
import type { MergeBatchPorts } from './merge-batch.ts';
import { sweep } from './sweep.ts';

/**
 * Ends a fetch whose items are all merged: what a resynced publisher no longer has is discarded, or the items of a collection that has
 * an order are arranged (SSE 4.4.2), then the subscription's cursor moves to what the seal says, and only now. Where the fetch was
 * ended already, or another one has begun meanwhile, the cursor stays and nothing is announced.
 */
export async function settleManifest(ports: MergeBatchPorts, job: SettleJob): Promise<void> {
  const { store, queue, clock } = ports;
  const manifest = await store.manifests.find(job.collection, job.manifest);
  if (manifest === undefined || !isWhole(manifest)) return;
  const { seal, collection, subscription, id, rejected } = manifest;
  const at = clock.now();
  const isUnderWay = (await store.subscriptions.find(collection, subscription))?.manifest === id;
  const ofManifest = isUnderWay ? await store.collections.find(collection) : undefined;
  const discarded = ofManifest && (await workOnWhole(ports, ofManifest, manifest, seal.resynced));
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

/** Does what needs the whole collection. Answers how many items were discarded; undefined where the fetch is no longer under way. */
async function workOnWhole({ store, clock, publicUrl }: MergeBatchPorts, collection: Collection, manifest: Manifest, isResynced: boolean): Promise<number | undefined> {
  if (isOrdered(collection)) await arrangeCollection({ store, publicUrl, now: () => clock.now() }, collection);
  return isResynced && protocols[collection.protocol].isOwn !== undefined ? sweep(store, collection, manifest) : 0;
}
