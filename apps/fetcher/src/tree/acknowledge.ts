import type { Store, TreeDocument } from '#core';
import type { ProgressReport } from './progress-report.ts';
import type { TreeFetch } from './tree-fetch.ts';

/** How many documents are acknowledged at once. */
const step = 1000;

/**
 * Acknowledges what was written to documents of a tree, which were read as the cursor says that they are.
 * The lease is confirmed after they were read, so whatever is acknowledged was written before any later fetch
 * read it.
 * @throws LeaseLostError if another fetch has begun
 */
export async function acknowledge(
  { documents }: Pick<Store, 'documents'>,
  { collection }: TreeFetch,
  read: readonly TreeDocument[],
  report: ProgressReport,
): Promise<void> {
  const changed = read.filter((document) => document.changed !== undefined);
  if (changed.length === 0) return;
  await report.confirm();
  for (let start = 0; start < changed.length; start += step) {
    await documents.acknowledge(collection.key, changed.slice(start, start + step));
    await report.announce();
  }
}
