import { mergeFragments } from '#items';
import { requestPublish, requestSettle } from '#messages';
import type { MergeJob } from '#messages';
import { isWhole } from '#ports';
import type { Clock, JobQueue, Store } from '#ports';

/** What merging and settling need of the world. */
export interface MergeBatchPorts {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/**
 * Applies one merge job:
 *
 *     fragments ─▶ merged, written, pending ─▶ batch done in the manifest ─▶ settle, once the manifest is whole
 *                                   └─▶ publish
 *
 * A job for a collection that was removed is dropped. A repeated job writes nothing and is done again.
 */
export async function mergeBatch(ports: MergeBatchPorts, job: MergeJob): Promise<void> {
  const { store, queue, clock, publicUrl } = ports;
  const collection = await store.collections.find(job.collection);
  if (collection === undefined) return;
  const now = (): Date => clock.now();
  const { changed, rejected } = await mergeFragments({ store, now, publicUrl }, collection, job);
  if (changed > 0) await queue.send([requestPublish(job.collection)]);
  const manifest = await store.manifests.done(job.collection, job.manifest, job.batch, rejected, clock.now());
  if (manifest !== undefined && isWhole(manifest)) await queue.send([requestSettle(job.collection, job.manifest)]);
}
