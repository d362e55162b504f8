import type { FinalizeJob } from '#contracts';
import { isWhole } from '#core';
import { endFetch } from './end-fetch.ts';
import type { MergeBatchPorts } from './merge-batch.ts';

/**
 * Ends the fetch of a manifest that is whole, as `endFetch` does, and removes the manifest. Where the fetch
 * was ended already, or another one has begun meanwhile, the cursor stays and nothing is announced.
 */
export async function finalizeManifest(ports: MergeBatchPorts, job: FinalizeJob): Promise<void> {
  const { store } = ports;
  const manifest = await store.manifests.find(job.collection, job.manifest);
  if (manifest === undefined || !isWhole(manifest)) return;
  const subscription = await store.subscriptions.find(job.collection, manifest.subscription);
  const collection = await store.collections.find(job.collection);
  if (collection !== undefined && subscription?.manifest === manifest.id)
    await endFetch(ports, collection, subscription, manifest);
  await store.manifests.remove(job.collection, job.manifest);
}
