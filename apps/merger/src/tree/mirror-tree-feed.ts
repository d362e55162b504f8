import { isFeedTree } from '#protocols';
import { mirrorFeed } from '#items';
import { requestPublish, requestFinalize } from '#contracts';
import type { MirrorJob } from '#contracts';
import { isWhole } from '#core';
import type { Collection } from '#core';
import type { MergeBatchPorts } from '../merge-batch.ts';
import { holdFetch } from '../hold-fetch.ts';

type MirrorJobPorts = Pick<MergeBatchPorts, 'store' | 'queue' | 'clock'>;

/** Another fetch began while a feed was mirrored; what that one mirrors counts. */
class FetchOverError extends Error {
  override readonly name = 'FetchOverError';
}

/**
 * Applies one mirror job:
 *
 *     cached feed ─▶ items written, pending ─▶ document merged ─▶ batch done in the manifest
 *                                   └─▶ publish                      └─▶ finalize, once it is whole
 *
 * A job for a collection that was removed is dropped, and one of a fetch that is over, also if that ends
 * meanwhile: the next fetch sees what the feed's items are in step with. A repeated job writes nothing. Where
 * a copy was lost, or items are more than the tenant may have, the document is not merged: the next fetch
 * sends the job once more.
 */
export async function mirrorTreeFeed(ports: MirrorJobPorts, job: MirrorJob): Promise<void> {
  const { collection: key, subscription, manifest } = job;
  const collection = await ports.store.collections.find(key);
  if (collection === undefined || !isFeedTree(collection)) return;
  const inFlight = await ports.store.subscriptions.find(key, subscription);
  if (inFlight?.manifest !== manifest) return;
  try {
    await mirrorUnder(ports, collection, inFlight.url, job);
  } catch (error) {
    if (!(error instanceof FetchOverError)) throw error;
  }
}

async function mirrorUnder(
  { store, queue, clock }: MirrorJobPorts,
  collection: Collection,
  root: string,
  { subscription, manifest, batch, url, merged }: MirrorJob,
): Promise<void> {
  const { key } = collection;
  const heartbeat = async (): Promise<void> => {
    if (!(await holdFetch(store, { collection: key, subscription, id: manifest })))
      throw new FetchOverError();
    await store.manifests.touch(key, manifest, clock.now());
  };
  const { changed, incomplete, refused, lost, violations, exceeded } = await mirrorFeed(
    { store, now: () => clock.now(), heartbeat },
    collection,
    { subscription, url, root },
  );
  if (changed > 0) await queue.send([requestPublish(key)]);
  await heartbeat();
  if (lost === 0 && exceeded === undefined) await store.documents.markMerged(key, url, merged);
  const now = await store.manifests.done(
    key,
    manifest,
    batch,
    { rejected: incomplete + refused, violations, ...(exceeded && { exceeded: exceeded.message }) },
    clock.now(),
  );
  if (now !== undefined && isWhole(now)) await queue.send([requestFinalize(key, manifest)]);
}
