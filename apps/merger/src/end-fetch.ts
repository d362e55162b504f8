import { isFeedTree, sharingProtocolOf } from '#protocols';
import { arrangeCollection, completeFetch } from '#items';
import { isOrdered } from '#protocol';
import { requestPublish } from '#contracts';
import { backoffSeconds, failureCause, isSameSummary, reportedViolations } from '#core';
import type {
  BatchReport,
  Collection,
  Completion,
  FetchTransfer,
  Manifest,
  ManifestSeal,
  Subscription,
} from '#core';
import type { MergeBatchPorts } from './merge-batch.ts';
import { removeOutdatedLetters } from './outdated-letters.ts';
import { sweep } from './sweep.ts';
import { removeDropped } from './tree/remove-dropped.ts';

/** A fetch whose items are all merged, with what merging them came to, and what the feed was read to. */
export interface MergedFetch
  extends BatchReport, Pick<Manifest, 'id' | 'collection' | 'subscription' | 'openedAt'> {
  readonly seal: ManifestSeal;
}

/** What a fetch fails with that has brought more than the tenant of its collection may have. */
const limitRule = 'tenant-limit';

/**
 * Ends a fetch whose items are all merged: what a resynced publisher no longer has is discarded, or the
 * items of a collection that has an order are arranged (SSE 4.4.2), or what a mirrored tree no longer refers
 * to is removed (CSE), then the subscription's cursor moves to what the seal says, and only now. If items
 * were left out because of a limit of the tenant, the fetch has failed instead: nothing is discarded, the
 * cursor stays, and a later fetch brings them. Nothing is ended of a fetch that another one has taken over.
 */
export async function endFetch(
  ports: MergeBatchPorts,
  collection: Collection,
  inFlight: Subscription,
  merged: MergedFetch,
): Promise<void> {
  const { store, queue, clock } = ports;
  const { key } = collection;
  const manifest = { ...merged, rejected: merged.rejected + (merged.seal.refused ?? 0) };
  const { seal, subscription, id, rejected, plain = 0 } = manifest;
  const exceeded = manifest.exceeded ?? seal.exceeded;
  const gone =
    exceeded === undefined || isFeedTree(collection)
      ? await workOnWhole(ports, collection, inFlight, manifest)
      : 0;
  if (gone === undefined) return;
  if (exceeded !== undefined) return endRefused(ports, collection, inFlight, manifest, exceeded);
  await removeOutdatedLetters(store, manifest);
  const at = clock.now();
  const violations = [...(seal.violations ?? []), ...(manifest.violations ?? [])].slice(
    0,
    reportedViolations,
  );
  const completion: Completion = {
    collection: key,
    id: subscription,
    manifest: id,
    result: {
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
    },
  };
  const notice = { id, collection: key, subscription, at };
  if (seal.resynced)
    await completeFetch(ports, collection, completion, { ...notice, type: 'resynced', discarded: gone });
  else if (seal.batches > 0 || seal.items > seal.known || gone > 0)
    await completeFetch(ports, collection, completion, { ...notice, type: 'fetched' });
  else {
    await store.subscriptions.completeAll([completion]);
    // Items in an order may have other places, and feeds of a tree may be gone.
    if (isOrdered(collection) || isFeedTree(collection)) await queue.send([requestPublish(key)]);
  }
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
  ports: MergeBatchPorts,
  collection: Collection,
  { interval, failures }: Subscription,
  { id, subscription, rejected, openedAt, seal }: MergedFetch,
  reason: string,
): Promise<void> {
  const { key } = collection;
  const at = ports.clock.now();
  const wait = Math.min(backoffSeconds({ interval, failures }), interval.maximum);
  const completion: Completion = {
    collection: key,
    id: subscription,
    manifest: id,
    result: {
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
    },
  };
  await completeFetch(ports, collection, completion, {
    id,
    collection: key,
    subscription,
    type: 'failed',
    at,
  });
}

/**
 * Does what needs the whole collection. Returns how many items were discarded, of a mirrored tree how many
 * documents were removed; undefined if the fetch is no longer in progress.
 */
async function workOnWhole(
  { store, clock, publicUrl }: MergeBatchPorts,
  collection: Collection,
  { url }: Subscription,
  manifest: MergedFetch,
): Promise<number | undefined> {
  const now = (): Date => clock.now();
  if (isFeedTree(collection)) return removeDropped({ store, now }, collection, { manifest, root: url });
  if (isOrdered(collection)) await arrangeCollection({ store, publicUrl, now }, collection);
  return manifest.seal.resynced && sharingProtocolOf(collection).isOwn !== undefined
    ? sweep(store, collection, manifest)
    : 0;
}
