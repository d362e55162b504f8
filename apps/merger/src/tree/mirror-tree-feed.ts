import { mirrorFeed } from '#items';
import { requestPublish, requestSettle } from '#messages';
import type { MirrorJob } from '#messages';
import { isShared, isWhole } from '#ports';
import type { MergeBatchPorts } from '../merge-batch.ts';

/**
 * Applies one mirror job:
 *
 *     cached feed ─▶ items written, pending ─▶ document merged ─▶ batch done in the manifest ─▶ settle, once the manifest is whole
 *                                   └─▶ publish
 *
 * A job for a collection that was removed is dropped, and one of a fetch that is over: the next fetch sees what the feed's items are in
 * step with. A repeated job writes nothing. Where a copy was lost, the document is not merged: the next fetch sends the job once more.
 */
export async function mirrorTreeFeed({ store, queue, clock }: Pick<MergeBatchPorts, 'store' | 'queue' | 'clock'>, { collection: name, subscription, manifest, batch, url, merged }: MirrorJob): Promise<void> {
  const collection = await store.collections.find(name);
  if (collection === undefined || isShared(collection)) return;
  const underWay = await store.subscriptions.find(name, subscription);
  if (underWay?.manifest !== manifest) return;
  const ports = { store, now: () => clock.now(), stayAlive: () => store.manifests.touch(name, manifest, clock.now()) };
  const { changed, unsettled, lost, breaches } = await mirrorFeed(ports, collection, { subscription, url, root: underWay.url });
  if (changed > 0) await queue.send([requestPublish(name)]);
  if (lost === 0) await store.documents.markMerged(name, url, merged);
  const now = await store.manifests.done(name, manifest, batch, { rejected: unsettled, breaches }, clock.now());
  if (now !== undefined && isWhole(now)) await queue.send([requestSettle(name, manifest)]);
}
