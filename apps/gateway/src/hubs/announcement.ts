import { announcedReason } from '#core';
import type { Subscription } from '#core';

/** What comes of an announcement: a fetch at a time, or none and why. */
export type AnnouncementOutcome =
  | { readonly kind: 'taken'; readonly at: Date }
  /** A fetch that begins later reads what was announced. */
  | { readonly kind: 'collapsed' }
  /** The feed is paused, or fails: it is fetched when its schedule says so. */
  | { readonly kind: 'ignored' };

/**
 * Decides what an announcement of a change comes to. However many there are, a feed is fetched for them at
 * most once in `gap` milliseconds, and not earlier than its failures allow; one that is due anyway is fetched
 * then.
 */
export function decideAnnouncement(
  { status, failures, hub, manifest, nextFetchAt, nextFetchReason }: Announced,
  now: Date,
  gap: number,
): AnnouncementOutcome {
  if (status !== 'active' || failures > 0) return { kind: 'ignored' };
  const isDue = nextFetchAt <= now && manifest === undefined;
  if (isDue) return nextFetchReason === announcedReason ? { kind: 'collapsed' } : { kind: 'taken', at: now };
  const last = hub?.announcedAt?.getTime() ?? 0;
  if (last > now.getTime()) return { kind: 'collapsed' };
  return { kind: 'taken', at: new Date(Math.max(now.getTime(), last + gap)) };
}

type Announced = Pick<
  Subscription,
  'status' | 'failures' | 'hub' | 'manifest' | 'nextFetchAt' | 'nextFetchReason'
>;
