import { requestFinalize } from '#contracts';
import { isWhole } from '#core';
import type { Clock, CollectionKey, JobQueue, ManifestSeal, Store } from '#core';

/** Ends the reading of a fetch; one of which nothing is left to merge is finalized. */
export async function sealManifest(
  { store, queue, clock }: { readonly store: Store; readonly queue: JobQueue; readonly clock: Clock },
  collection: CollectionKey,
  id: string,
  seal: ManifestSeal,
): Promise<void> {
  const manifest = await store.manifests.seal(collection, id, seal, clock.now());
  if (manifest !== undefined && isWhole(manifest)) await queue.send([requestFinalize(collection, id)]);
}
