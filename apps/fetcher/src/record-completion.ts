import type { FetchResult, Subscription } from '#core';
import type { FetchManifest } from './fetch-manifest.ts';
import type { FetchPorts } from './fetch-ports.ts';

/** Ends a fetch that has no stored manifest, together with others that end at the same time. */
export async function recordCompletion(
  { store, unchanged }: Pick<FetchPorts, 'store' | 'unchanged'>,
  { collection, id }: Pick<Subscription, 'collection' | 'id'>,
  { id: manifest, transfer }: Pick<FetchManifest, 'id' | 'transfer'>,
  result: FetchResult,
): Promise<void> {
  const completion = { collection, id, manifest, result: { ...result, transfer } };
  if (unchanged === undefined) await store.subscriptions.completeAll([completion]);
  else await unchanged.record(completion);
}
