import { isFeedTree, sharingProtocolOf } from '#protocols';
import { arrangeCollection, completeFetch } from '#items';
import { isOrdered } from '#protocol';
import { requestPublish } from '#contracts';
import type { Collection, Subscription } from '#core';
import { fetchedResult, refusedResult } from './fetch-result.ts';
import type { MergedFetch } from './fetch-result.ts';
import type { MergeBatchPorts } from './merge-batch.ts';
import { removeOutdatedLetters } from './outdated-letters.ts';
import { sweep } from './sweep.ts';
import { removeDropped } from './tree/remove-dropped.ts';

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
  const { seal, subscription, id } = manifest;
  const exceeded = manifest.exceeded ?? seal.exceeded;
  const gone =
    exceeded === undefined || isFeedTree(collection)
      ? await workOnWhole(ports, collection, inFlight, manifest)
      : 0;
  if (gone === undefined) return;
  if (exceeded === undefined) await removeOutdatedLetters(store, manifest);
  const at = clock.now();
  const result =
    exceeded === undefined
      ? fetchedResult(inFlight, manifest, at)
      : refusedResult(inFlight, manifest, exceeded, at);
  const completion = { collection: key, id: subscription, manifest: id, result };
  const notice = { id, collection: key, subscription, at };
  if (exceeded !== undefined)
    await completeFetch(ports, collection, completion, { ...notice, type: 'failed' });
  else if (seal.resynced)
    await completeFetch(ports, collection, completion, { ...notice, type: 'resynced', discarded: gone });
  else if (seal.batches > 0 || seal.items > seal.known || gone > 0)
    await completeFetch(ports, collection, completion, { ...notice, type: 'fetched' });
  else {
    await store.subscriptions.completeAll([completion]);
    // Items in an order may have other places, and feeds of a tree may be gone.
    if (isOrdered(collection) || isFeedTree(collection)) await queue.send([requestPublish(key)]);
  }
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
