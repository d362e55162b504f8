import { backoffSeconds, failureCause, isSameSummary, reportedViolations } from '#core';
import type { BatchReport, FetchResult, FetchTransfer, Manifest, ManifestSeal, Subscription } from '#core';

/** A fetch whose batches are all merged: the outcome of merging them, and the seal of the feed. */
export interface MergedFetch
  extends BatchReport, Pick<Manifest, 'id' | 'collection' | 'subscription' | 'openedAt'> {
  readonly seal: ManifestSeal;
}

/** The rule of a fetch that exceeds a limit of its tenant. */
const limitRule = 'tenant-limit';

/** The result of a fetch that succeeded, with the cursor of its seal. */
export function fetchedResult(
  { feed }: Pick<Subscription, 'feed'>,
  { seal, openedAt, rejected, plain = 0, violations = [] }: MergedFetch,
  at: Date,
): FetchResult {
  const reported = [...(seal.violations ?? []), ...violations].slice(0, reportedViolations);
  return {
    report: {
      at,
      outcome: 'fetched',
      items: seal.items,
      rejected,
      ...(plain > 0 && { plain }),
      ...(seal.progress && { progress: seal.progress }),
      ...(reported.length > 0 && { violations: reported }),
    },
    transfer: transferOf({ openedAt }, seal),
    cursor: seal.cursor,
    ...(seal.stated && { stated: seal.stated }),
    ...(seal.rhythm && { rhythm: seal.rhythm }),
    ...(seal.feed && !isSameSummary(feed, seal.feed) && { feed: seal.feed }),
    nextFetchAt: seal.nextFetchAt,
    nextFetchReason: seal.nextFetchReason,
  };
}

/** The result of a fetch that exceeds a limit of its tenant: it is retried later. */
export function refusedResult(
  { interval, failures }: Pick<Subscription, 'interval' | 'failures'>,
  { seal, openedAt, rejected }: MergedFetch,
  reason: string,
  at: Date,
): FetchResult {
  const wait = Math.min(backoffSeconds({ interval, failures }), interval.maximum);
  return {
    report: {
      at,
      outcome: 'failed',
      rule: limitRule,
      cause: failureCause({ rule: limitRule }),
      reason,
      items: seal.items,
      rejected,
      ...(seal.progress && { progress: seal.progress }),
    },
    transfer: transferOf({ openedAt }, seal),
    nextFetchAt: new Date(at.getTime() + wait * 1000),
    nextFetchReason: reason,
  };
}

/** What the fetch transferred; for a tree that has no such count, the bytes of its progress. */
function transferOf(
  { openedAt }: Pick<Manifest, 'openedAt'>,
  { transfer, progress }: ManifestSeal,
): FetchTransfer {
  return transfer ?? { startedAt: openedAt, bytes: progress?.bytes ?? 0 };
}
