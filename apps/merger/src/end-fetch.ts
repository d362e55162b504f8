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
 * Ends a fetch whose batches are all merged. First comes what needs the whole collection: a resync discards
 * what the publisher no longer has, an ordered collection is arranged (SSE 4.4.2), and a mirrored tree loses
 * what it no longer refers to (CSE). Only then does the cursor of the subscription move. A fetch that exceeds
 * a limit of its tenant fails instead: nothing is discarded, the cursor stays, and a later fetch brings the
 * missing items. If another fetch has taken over, this one changes nothing.
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
