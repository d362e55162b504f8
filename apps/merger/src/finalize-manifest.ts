import { isFeedTree, sharingProtocolOf } from '#protocols';
import { arrangeCollection } from '#items';
import { isOrdered } from '#protocol';
import { requestPublish } from '#contracts';
import type { FinalizeJob } from '#contracts';
import { backoffSeconds, failureCause, isSameSummary, isWhole, reportedViolations } from '#core';
import type { Collection, FetchTransfer, Manifest, ManifestSeal, Subscription } from '#core';
import type { MergeBatchPorts } from './merge-batch.ts';
import { removeOutdatedLetters } from './outdated-letters.ts';
import { sweep } from './sweep.ts';
import { removeDropped } from './tree/remove-dropped.ts';

type WholeManifest = Manifest & { readonly seal: ManifestSeal };

/** What a fetch fails with that has brought more than the tenant of its collection may have. */
const limitRule = 'tenant-limit';

/**
 * Ends a fetch whose items are all merged: what a resynced publisher no longer has is discarded, or the
 * items of a collection that has an order are arranged (SSE 4.4.2), or what a mirrored tree no longer refers
 * to is removed (CSE), then the subscription's cursor moves to what the seal says, and only now. If items
 * were left out because of a limit of the tenant, the fetch has failed instead: nothing is discarded, the
 * cursor stays, and a later fetch brings them. Where the fetch was ended already, or another one has begun
 * meanwhile, the cursor stays and nothing is announced.
 */
export async function finalizeManifest(ports: MergeBatchPorts, job: FinalizeJob): Promise<void> {
  const { store, queue, clock } = ports;
  const merged = await store.manifests.find(job.collection, job.manifest);
  if (merged === undefined || !isWhole(merged)) return;
  const manifest = { ...merged, rejected: merged.rejected + (merged.seal.refused ?? 0) };
  const { seal, collection, subscription, id, rejected, plain = 0 } = manifest;
  const at = clock.now();
  const inFlight = await store.subscriptions.find(collection, subscription);
  const ofManifest = inFlight?.manifest === id ? await store.collections.find(collection) : undefined;
  const exceeded = manifest.exceeded ?? seal.exceeded;
  const gone =
    inFlight &&
    ofManifest &&
    (exceeded === undefined || isFeedTree(ofManifest)
      ? await workOnWhole(ports, ofManifest, inFlight, { ...manifest, seal })
      : 0);
  if (gone === undefined || inFlight === undefined || ofManifest === undefined)
    return store.manifests.remove(collection, id);
  if (exceeded !== undefined) return endRefused(ports, inFlight, { ...manifest, seal }, exceeded);
  await removeOutdatedLetters(store, manifest);
  const isNoticed = seal.resynced || seal.batches > 0 || seal.items > seal.known || gone > 0;
  if (seal.resynced)
    await store.notices.add({ id, collection, subscription, type: 'resynced', at, discarded: gone });
  else if (isNoticed) await store.notices.add({ id, collection, subscription, type: 'fetched', at });
  const violations = [...(seal.violations ?? []), ...(manifest.violations ?? [])].slice(
    0,
    reportedViolations,
  );
  await store.subscriptions.complete(collection, subscription, id, {
    report: {
      at,
      outcome: 'fetched',
      items: seal.items,
      rejected,
      ...(plain > 0 && { plain }),
      ...(seal.progress && { progress: seal.progress }),
      ...(violations.length > 0 && { violations }),
    },
    transfer: transferOf(manifest, seal),
    cursor: seal.cursor,
    ...(seal.stated && { stated: seal.stated }),
    ...(seal.rhythm && { rhythm: seal.rhythm }),
    ...(seal.feed && !isSameSummary(inFlight.feed, seal.feed) && { feed: seal.feed }),
    nextFetchAt: seal.nextFetchAt,
    nextFetchReason: seal.nextFetchReason,
  });
  await store.manifests.remove(collection, id);
  // Items in an order may have other places, and feeds of a tree may be gone.
  if (isNoticed || isOrdered(ofManifest) || isFeedTree(ofManifest))
    await queue.send([requestPublish(collection)]);
}

/** A tree that nothing was written of says how much of it arrived. */
function transferOf(
  { openedAt }: Pick<Manifest, 'openedAt'>,
  { transfer, progress }: ManifestSeal,
): FetchTransfer {
  return transfer ?? { startedAt: openedAt, bytes: progress?.bytes ?? 0 };
}

/** Ends a fetch that has brought more than the tenant may have: it has failed, and is tried again later. */
async function endRefused(
  { store, queue, clock }: MergeBatchPorts,
  { interval, failures }: Subscription,
  { id, collection, subscription, rejected, openedAt, seal }: WholeManifest,
  reason: string,
): Promise<void> {
  const at = clock.now();
  const wait = Math.min(backoffSeconds({ interval, failures }), interval.maximum);
  await store.notices.add({ id, collection, subscription, type: 'failed', at });
  await store.subscriptions.complete(collection, subscription, id, {
    report: {
      at,
      outcome: 'failed',
      rule: limitRule,
      cause: failureCause({ rule: limitRule }),
      reason,
      items: seal.items,
      rejected,
      ...(seal.progress && { progress: seal.progress }),
    },
    transfer: transferOf({ openedAt }, seal),
    nextFetchAt: new Date(at.getTime() + wait * 1000),
    nextFetchReason: reason,
  });
  await store.manifests.remove(collection, id);
  await queue.send([requestPublish(collection)]);
}

/**
 * Does what needs the whole collection. Returns how many items were discarded, of a mirrored tree how many
 * documents were removed; undefined if the fetch is no longer in progress.
 */
async function workOnWhole(
  { store, clock, publicUrl }: MergeBatchPorts,
  collection: Collection,
  { url }: Subscription,
  manifest: WholeManifest,
): Promise<number | undefined> {
  const now = (): Date => clock.now();
  if (isFeedTree(collection)) return removeDropped({ store, now }, collection, { manifest, root: url });
  if (isOrdered(collection)) await arrangeCollection({ store, publicUrl, now }, collection);
  return manifest.seal.resynced && sharingProtocolOf(collection).isOwn !== undefined
    ? sweep(store, collection, manifest)
    : 0;
}
