import { compareCodePoints } from '#feedsync';
import type { Violation, Dialect, FeedHead, Sharing } from '#feed-xml';
import type { Subscription } from '#core';

/** What else to read after the feed itself, and why. */
export interface ReadingPlan {
  /** The complete feed to read as well. */
  readonly complete?: string;
  /** Whether the subscriber had fallen out of the feed's window (FeedSync 4.1.2 step 2.1). */
  readonly outOfSync: boolean;
}

/**
 * Decides whether the complete feed has to be read (FeedSync 4.1, SSE 2.2.1): on initial consumption, where
 * it is another feed, and when the feed's `since` is past the cached `until`. An SSE feed without `since` is
 * complete itself (SSE 2.1).
 */
export function planReading(
  subscription: Pick<Subscription, 'cursor' | 'cursorVersion'>,
  feedUrl: string,
  { dialect, sharing }: Pick<FeedHead, 'dialect' | 'sharing'>,
): ReadingPlan {
  const { cursor, cursorVersion } = subscription;
  const outOfSync =
    sharing?.since !== undefined &&
    cursor.until !== undefined &&
    isPast[dialect](sharing.since, cursor.until);
  const link = sharing?.related.find(({ type }) => type === 'complete')?.link;
  const isComplete = link === feedUrl || (dialect === 'sse' && sharing?.since === undefined);
  const initial = cursorVersion === 0;
  const isWanted = outOfSync || (initial && !isComplete);
  return { outOfSync, ...(isWanted && link !== undefined && { complete: link }) };
}

/**
 * Whether something may be missing between what was read until one value and what a feed holds since another.
 */
const isPast: Record<Dialect, (since: string, until: string) => boolean> = {
  feedsync: (since, until) => compareCodePoints(since, until) > 0,
  // Both are whole seconds, and both are included: a feed that begins in the second after leaves nothing out.
  sse: (since, until) => Date.parse(since) > Date.parse(until) + 1000,
};

/**
 * Says that a subscriber has fallen out of the window and finds no complete feed: what it has missed stays
 * missed.
 */
export function noCompleteFeed(dialect: Dialect): Violation {
  return {
    rule: 'out-of-sync-no-complete',
    section: dialect === 'sse' ? 'SSE 2.2.1' : 'FeedSync 4.1.2',
    message:
      'The feed no longer holds all that has changed since it was last read, and names no complete feed; ' +
      'nothing was discarded.',
    severity: 'warning',
    line: 1,
    column: 1,
  };
}

/**
 * The value of `until` to cache: the smaller of the two, so that a stale complete feed can't hide a gap. A
 * feed without one says nothing.
 */
export function safeUntil(partial: Sharing | undefined, complete: Sharing | undefined): string | undefined {
  const values = [partial?.until, complete?.until].filter((value) => value !== undefined);
  return values.reduce<string | undefined>(
    (least, value) => (least === undefined || compareCodePoints(value, least) < 0 ? value : least),
    undefined,
  );
}
