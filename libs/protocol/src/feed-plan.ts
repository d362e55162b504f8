import { compareCodePoints } from '#core';
import type { FeedHead, Sharing, Violation } from '#xml';
import type { Subscription } from '#core';

/** What else to read after the feed itself, and why. */
export interface FeedPlan {
  /** The complete feed to read as well. */
  readonly complete?: string;
  /** Whether the subscriber had fallen out of the feed's window (FeedSync 4.1.2 step 2.1, SSE 2.2.1). */
  readonly outOfSync: boolean;
}

/** How far a subscriber has got, as planning needs it. */
export type Progress = Pick<Subscription, 'cursor'>;

/** What protocols see differently when they plan. */
interface PlanRules {
  /**
   * Whether something may be missing between what was read until one value and what a feed holds since
   * another.
   */
  readonly isPast: (since: string, until: string) => boolean;
  /** Whether a feed without `since` is complete itself. */
  readonly isCompleteWithoutSince: boolean;
}

/**
 * Decides whether the complete feed has to be read: on initial consumption, if it is another feed, and if the
 * feed's `since` is past the cached `until`.
 */
export function planByWindow(
  { cursor }: Progress,
  feedUrl: string,
  { sharing }: Pick<FeedHead, 'sharing'>,
  { isPast, isCompleteWithoutSince }: PlanRules,
): FeedPlan {
  const outOfSync =
    sharing?.since !== undefined && cursor.until !== undefined && isPast(sharing.since, cursor.until);
  const link = sharing?.related.find(({ type }) => type === 'complete')?.link;
  const isComplete = link === feedUrl || (isCompleteWithoutSince && sharing?.since === undefined);
  // Every document that was read left its digest: one that could not be read is no reading.
  const initial = cursor.digest === undefined;
  const isWanted = outOfSync || (initial && !isComplete);
  return { outOfSync, ...(isWanted && link !== undefined && { complete: link }) };
}

/**
 * Says that a subscriber has fallen out of the window and finds no complete feed: what it has missed stays
 * missed.
 * @param section of the specification that says when the complete feed is to be read
 */
export function noCompleteFeed(section: string): Violation {
  return {
    rule: 'out-of-sync-no-complete',
    section,
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
