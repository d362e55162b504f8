import { announcedReason } from '#core';
import type { FeedHub, Subscription } from '#core';

/** What a fetch says of the hub of its feed. */
interface HubTrust {
  /** Whether the next change may be left to the hub. */
  readonly announces: boolean;
  /** Whether the fetch found what the hub, which was relied on, had not announced. */
  readonly hasMissed: boolean;
}

/**
 * Decides whether a hub is relied on: its lease runs, its last renewal has not failed, it has announced
 * changes and missed none since. A fetch that an announcement led to and that found nothing proves nothing:
 * what was announced may be yet to come.
 * @param subscription as it was when the fetch began
 * @param hasChanged whether the fetch brought something to merge
 */
export function trustInHub(
  { hub, last, nextFetchReason }: Pick<Subscription, 'hub' | 'last' | 'nextFetchReason'>,
  hasChanged: boolean,
  now: Date,
): HubTrust {
  if (hub === undefined || !hasProven(hub)) return { announces: false, hasMissed: false };
  const { leasedUntil = new Date(0), announcedAt = new Date(0), reason } = hub;
  const isAnnounced =
    nextFetchReason === announcedReason || announcedAt.getTime() > (last?.at.getTime() ?? 0);
  const hasMissed = hasChanged && !isAnnounced;
  const isLeased = leasedUntil > now && reason === undefined;
  return { announces: isLeased && !hasMissed && isAnnounced === hasChanged, hasMissed };
}

function hasProven({ announcedAt, missedAt }: FeedHub): boolean {
  return announcedAt !== undefined && (missedAt === undefined || announcedAt > missedAt);
}
