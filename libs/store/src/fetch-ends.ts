import type { mongo } from 'mongoose';
import { hostOf } from '#core';
import type { CollectionKey, Completion, FetchResult, NextFetch, Release, SubscriptionId } from '#core';
import { furtherFeedKeyOf } from './feed-key.ts';
import { keyOf } from './key.ts';
import { resultOfReport } from './subscription-document.ts';
import type { SubscriptionDocument } from './subscription-document.ts';

/** What the end of a lease removes. */
const leaseFields = { manifest: '', leasedUntil: '', isRefreshed: '' } as const;

/** The end of a fetch, and what changes with it. */
export interface FetchEnd {
  readonly _id: string;
  readonly manifest: string;
  readonly next: NextFetch;
  readonly $set: Partial<SubscriptionDocument>;
  readonly $inc: Record<string, number>;
  readonly $unset?: Record<string, ''>;
}

/** The end of a fetch that was completed. */
export function endOfCompletion({ collection, id, manifest, result }: Completion): FetchEnd {
  return { _id: keyOf(collection, id), manifest, next: result, ...changesOf(collection, id, result) };
}

/** The end of a fetch whose subscription was released. */
export function endOfRelease({ collection, id, manifest, next }: Release): FetchEnd {
  return { _id: keyOf(collection, id), manifest, next, $set: {}, $inc: {} };
}

/**
 * Ends fetches; returns how many of them still had their leases. The time of a refresh that was requested
 * during a fetch goes before the given one.
 */
export async function endFetches(
  rows: mongo.Collection<SubscriptionDocument>,
  ends: readonly FetchEnd[],
): Promise<number> {
  const write = async (isRefreshed: boolean): Promise<number> => {
    const updates = ends.map(
      ({ _id, manifest, next: { nextFetchAt, nextFetchReason }, $set, $inc, $unset }) => ({
        filter: { _id, manifest, isRefreshed: isRefreshed ? true : { $ne: true } },
        update: {
          $set: { ...$set, ...(!isRefreshed && { nextFetchAt, nextFetchReason }) },
          $inc,
          $unset: { ...leaseFields, ...$unset },
        },
      }),
    );
    // The driver never repeats an `updateMany`, so the server need not store that each was done. If the
    // connection fails, the feeds of those that were not written are requested again.
    const writes =
      updates.length === 1
        ? updates.map((updateOne) => ({ updateOne }))
        : updates.map((updateMany) => ({ updateMany }));
    return (await rows.bulkWrite(writes, { ordered: false })).matchedCount;
  };
  if (ends.length === 0) return 0;
  // Each step is atomic for each fetch, and a requested refresh stays so until the fetch has ended.
  const ended = await write(false);
  return ended === ends.length ? ended : ended + (await write(true));
}

/** What the result of a fetch changes besides the schedule. */
function changesOf(
  collection: CollectionKey,
  id: SubscriptionId,
  { report, cursor, stated, rhythm, feed, status, url }: FetchResult,
): Pick<FetchEnd, '$set' | '$inc' | '$unset'> {
  const reported = resultOfReport(report);
  const succeeded = reported === 'succeeded';
  return {
    $set: {
      last: report,
      result: reported,
      ...(succeeded && { succeededAt: report.at }),
      ...(report.progress && { progress: report.progress }),
      ...(cursor && { cursor }),
      ...(stated && { stated }),
      ...(rhythm && { rhythm }),
      ...(feed && { feed }),
      ...(status && { status }),
      ...(url !== undefined && {
        url,
        host: hostOf(url),
        // Where a feed has moved may be where another subscription reads.
        feedKey: furtherFeedKeyOf({ collection, id, url }),
      }),
      ...(succeeded && { failures: 0 }),
    },
    $inc: { cursorVersion: cursor ? 1 : 0, ...(!succeeded && { failures: 1 }) },
    ...(succeeded && { $unset: { discover: '' as const } }),
  };
}
