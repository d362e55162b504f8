import { backoffSeconds, failureCause, isSameSummary, reportedViolations } from '#core';
import type { BatchReport, FetchResult, FetchTransfer, Manifest, ManifestSeal, Subscription } from '#core';

/** A fetch whose items are all merged, with what merging them came to, and what the feed was read to. */
export interface MergedFetch
  extends BatchReport, Pick<Manifest, 'id' | 'collection' | 'subscription' | 'openedAt'> {
  readonly seal: ManifestSeal;
}

/** What a fetch fails with that has brought more than the tenant of its collection may have. */
const limitRule = 'tenant-limit';

/** The result of a fetch: the cursor is what the seal says. */
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

/** The result of a fetch that has brought more than the tenant may have: it is tried again later. */
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

/** A tree that nothing was written of says how much of it arrived. */
function transferOf(
  { openedAt }: Pick<Manifest, 'openedAt'>,
  { transfer, progress }: ManifestSeal,
): FetchTransfer {
  return transfer ?? { startedAt: openedAt, bytes: progress?.bytes ?? 0 };
}
