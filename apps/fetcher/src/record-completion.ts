import type { FetchResult } from '#core';
import type { FetchManifest } from './fetch-manifest.ts';
import type { FetchPorts } from './fetch-ports.ts';

/** Ends a fetch that has no stored manifest, together with others that end at the same time. */
export async function recordCompletion(
  { store, unchanged }: Pick<FetchPorts, 'store' | 'unchanged'>,
  { lease, transfer }: Pick<FetchManifest, 'lease' | 'transfer'>,
  result: FetchResult,
): Promise<void> {
  const completion = lease.completion({ ...result, transfer });
  if (unchanged === undefined) await store.subscriptions.completeAll([completion]);
  else await unchanged.record(completion);
}
