import { isFeedTree } from '#protocols';
import { FetchOverError, mergeFragments, requestPublication } from '#items';
import type { ResolutionModules } from '#protocol';
import { requestFinalize } from '#contracts';
import type { MergeJob } from '#contracts';
import { isWhole } from '#core';
import { endFetch } from './end-fetch.ts';
import type { Clock, Collection, JobQueue, Store, Subscription } from '#core';

/** What merging and finalizing need of the world. */
export interface MergeBatchPorts {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** The resolutions that collections may name; none if absent. */
  readonly modules?: ResolutionModules;
}

/**
 * Applies one merge job:
 *
 *     fragments ─▶ merged, written ─▶ batch done in the manifest ─▶ finalize, once it is whole
 *                         │  └──────▶ the only batch: fetch ended
 *                         └─▶ events
 *
 * Items that the tenant of the collection may not have are left out; the manifest says so, and the fetch
 * fails when it ends. A job for a collection that was removed is dropped, and one of a fetch that is over:
 * its items are merged, or are fetched again, and what it says of who brought them must not stand in for
 * what a later fetch says. A repeated job writes nothing.
 */
export async function mergeBatch(ports: MergeBatchPorts, job: MergeJob): Promise<void> {
  const { store, queue, clock, publicUrl, modules } = ports;
  const collection = await store.collections.find(job.collection);
  if (collection === undefined || isFeedTree(collection)) return;
  const inFlight = async (): Promise<Subscription | undefined> => {
    const found = await store.subscriptions.find(job.collection, job.subscription);
    return found?.manifest === job.manifest ? found : undefined;
  };
  const subscription = await inFlight();
  if (subscription === undefined) return;
  const isInFlight = async (): Promise<boolean> => (await inFlight()) !== undefined;
  const now = (): Date => clock.now();
  const outcome = await mergeFragments(
    { store, now, publicUrl, isInFlight, ...(modules && { modules }) },
    collection,
    job,
  ).catch((error: unknown) => {
    if (error instanceof FetchOverError) return undefined;
    throw error;
  });
  if (outcome === undefined) return;
  const { changed, notUnique, exceeded, ...report } = outcome;
  if (notUnique > 0) await noticeNotUnique(ports, collection, job);
  if (changed.length > 0) await queue.send([requestPublication(collection)]);
  const merged = { ...report, ...(exceeded && { exceeded: exceeded.message }) };
  const { seal } = subscription;
  if (seal !== undefined) {
    const openedAt = seal.transfer?.startedAt ?? now();
    const fetch = { id: job.manifest, collection: collection.key, subscription: job.subscription };
    return endFetch(ports, collection, subscription, { ...fetch, openedAt, seal, ...merged });
  }
  const manifest = await store.manifests.done(job.collection, job.manifest, job.batch, merged, now());
  if (manifest !== undefined && isWhole(manifest))
    await queue.send([requestFinalize(job.collection, job.manifest)]);
}

/** Tells that someone else signs as this endpoint does, once for each fetch that finds it. */
async function noticeNotUnique(
  { store, clock }: MergeBatchPorts,
  { key, endpoint }: Collection,
  { subscription, manifest }: MergeJob,
): Promise<void> {
  await store.notices.add({
    id: `${manifest}.endpoint-not-unique`,
    collection: key,
    subscription,
    type: 'endpoint-not-unique',
    at: clock.now(),
    endpoint,
  });
}
