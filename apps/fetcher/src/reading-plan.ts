import { compareCodePoints } from '#feedsync';
import type { Breach, Sharing } from '#feed-xml';
import type { Subscription } from '#ports';

/** What else to read after the feed itself, and why. */
export interface ReadingPlan {
  /** The complete feed to read as well. */
  readonly complete?: string;
  /** Whether the subscriber had fallen out of the feed's window (4.1.2 step 2.1). */
  readonly outOfSync: boolean;
}

/**
 * Decides whether the complete feed has to be read (FeedSync 4.1): on initial consumption, where it is another feed, and when the
 * feed's `since` is greater than the cached `until`.
 */
export function planReading(subscription: Pick<Subscription, 'cursor' | 'cursorVersion'>, feedUrl: string, sharing: Sharing | undefined): ReadingPlan {
  const { cursor, cursorVersion } = subscription;
  const outOfSync = sharing?.since !== undefined && cursor.until !== undefined && compareCodePoints(sharing.since, cursor.until) > 0;
  const link = sharing?.related.find(({ type }) => type === 'complete')?.link;
  const initial = cursorVersion === 0;
  const isWanted = outOfSync || (initial && link !== feedUrl);
  return { outOfSync, ...(isWanted && link !== undefined && { complete: link }) };
}

/** Says that a subscriber has fallen out of the window and finds no complete feed: what it has missed stays missed. */
export const noCompleteFeed: Breach = {
  rule: 'out-of-sync-no-complete',
  section: 'FeedSync 4.1.2',
  message: 'The feed no longer holds all that has changed since it was last read, and names no complete feed; nothing was discarded.',
  severity: 'warning',
  line: 1,
  column: 1,
};

/**
 * The value of `until` to cache: the smaller of the two, so that a stale complete feed can't hide a gap. A feed without one
 * says nothing.
 */
export function safeUntil(partial: Sharing | undefined, complete: Sharing | undefined): string | undefined {
  const values = [partial?.until, complete?.until].filter((value) => value !== undefined);
  return values.reduce<string | undefined>((least, value) => (least === undefined || compareCodePoints(value, least) < 0 ? value : least), undefined);
}
