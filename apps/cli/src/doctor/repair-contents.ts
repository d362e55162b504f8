import type { CollectionKey, Store } from '#core';
import type { ContentFinding, ContentReport, RepairOutcome } from './content-finding.ts';

/**
 * Repairs what can be repaired: damaged contents are removed; a mirror forgets the copies that are gone and
 * is fetched again, and with that each comes back under its digest or as what the source has now. Its items
 * keep their links. A file that was uploaded is lost.
 */
export async function repairContents(store: Store, report: ContentReport, now: Date): Promise<ContentReport> {
  const { collection, findings } = report;
  if (findings.length === 0) return report;
  // Removed before they are forgotten: bytes that arrive are not kept if a content has their digest
  // already.
  for (const { digest, problem } of findings)
    if (problem === 'damaged') await store.contents.remove(collection, digest);
  await store.documents.forgetDigests(
    collection,
    findings.map(({ digest }) => digest),
  );
  const outcome = findings.some(isReferredTo) ? await requestFetch(store, collection, now) : 'removed';
  return {
    ...report,
    findings: findings.map((finding) => ({
      ...finding,
      outcome: isReferredTo(finding) ? outcome : 'removed',
    })),
  };
}

function isReferredTo({ itemCount, documents }: ContentFinding): boolean {
  return itemCount > 0 || documents.length > 0;
}

/** Makes the subscription of a mirror due; a tree of our own has none. */
async function requestFetch(
  { subscriptions }: Store,
  collection: CollectionKey,
  now: Date,
): Promise<RepairOutcome> {
  const [subscription] = await subscriptions.list(collection, { limit: 1 });
  if (subscription === undefined) return 'lost';
  const refreshed = await subscriptions.refresh(
    collection,
    subscription.id,
    { nextFetchAt: now, nextFetchReason: 'files of the tree were found to be missing' },
    false,
  );
  if (refreshed === undefined) return 'lost';
  return refreshed.status === 'paused' ? 'paused' : 'requested';
}
