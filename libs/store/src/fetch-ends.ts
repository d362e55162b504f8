import type { mongo } from 'mongoose';
import { hostOf } from '#core';
import type {
  CollectionKey,
  Completion,
  FetchResult,
  FoundState,
  NextFetch,
  Release,
  SubscriptionId,
} from '#core';
import { furtherFeedKeyOf } from './feed-key.ts';
import { keyOf } from './key.ts';
import { resultOfReport, unleased } from './subscription-document.ts';
import type { SubscriptionDocument } from './subscription-document.ts';

/** What the end of a lease removes. */
export const leaseFields = { manifest: '', leasedUntil: '', refresh: '', seal: '' } as const;

/** The end of a fetch, and what changes with it. */
export interface FetchEnd {
  readonly _id: string;
  readonly manifest: string;
  readonly found?: FoundState | undefined;
  readonly next: NextFetch;
  readonly $set: Partial<SubscriptionDocument>;
  readonly $inc: Record<string, number>;
  readonly $unset?: Record<string, ''>;
}

/** The end of a fetch that was completed. */
export function endOfCompletion({ collection, id, manifest, found, result }: Completion): FetchEnd {
  return { _id: keyOf(collection, id), manifest, found, next: result, ...changesOf(collection, id, result) };
}

/** The end of a fetch whose subscription was released. */
export function endOfRelease({ collection, id, manifest, found, next }: Release): FetchEnd {
  return { _id: keyOf(collection, id), manifest, found, next, $set: {}, $inc: {} };
}

/**
 * Ends fetches; returns how many of them still had the right to. The time of a refresh that was requested
 * during a fetch takes precedence over the given one.
 */
export async function endFetches(
  rows: mongo.Collection<SubscriptionDocument>,
  ends: readonly FetchEnd[],
  session?: mongo.ClientSession,
): Promise<number> {
  const write = async (isRefreshed: boolean): Promise<number> => {
    const updates = ends.map(({ next: { nextFetchAt, nextFetchReason }, $set, $inc, $unset, ...end }) => ({
      filter: filterOf(end, isRefreshed),
      update: {
        $set: { ...$set, ...(!isRefreshed && { nextFetchAt, nextFetchReason }) },
        $inc,
        $unset: { ...leaseFields, ...$unset },
      },
    }));
    // The driver never repeats an `updateMany`, so the server need not store that each was done. If the
    // connection fails, the feeds of those that were not written are requested again.
    const writes =
      updates.length === 1
        ? updates.map((updateOne) => ({ updateOne }))
        : updates.map((updateMany) => ({ updateMany }));
    return (await rows.bulkWrite(writes, { ordered: false, ...(session && { session }) })).matchedCount;
  };
  if (ends.length === 0) return 0;
  // Each step is atomic for each fetch, and a requested refresh stays so until the fetch has ended.
  const ended = await write(false);
  return ended === ends.length ? ended : ended + (await write(true));
}

/** A condition that a fetch has not lost its right to end, with or without a refresh since it began. */
function filterOf(
  { _id, manifest, found }: Pick<FetchEnd, '_id' | 'manifest' | 'found'>,
  isRefreshed: boolean,
): mongo.Filter<SubscriptionDocument> {
  if (found === undefined) return { _id, manifest, refresh: { $exists: isRefreshed } };
  // Null stands for a missing field.
  const former = [found.refresh ?? null, null] as string[];
  return { _id, ...asFound(found), refresh: isRefreshed ? { $nin: former } : { $in: former } };
}

/** A condition that a subscription is as it was found, whether or not a refresh was requested. */
export function asFound({ createdAt, cursorVersion, last }: FoundState): mongo.Filter<SubscriptionDocument> {
  return { createdAt, cursorVersion, 'last.at': last?.at ?? null, ...unleased };
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
