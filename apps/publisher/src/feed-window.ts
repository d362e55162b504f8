import type { CollectionSettings, FeedWindow } from '#core';
import { before } from './times.ts';

/**
 * What the partial feed keeps at a time (FeedSync 4.2.3, step 3, and 4.2.4). Whoever read the feed at `now`
 * or before was told to come back within `expiresAfter`, so nothing that was published within that span
 * leaves, however many items there are.
 * @param since where the window begins so far
 */
export function feedWindow(
  { windowItems, windowAge, expiresAfter }: CollectionSettings,
  since: number,
  now: Date,
): FeedWindow {
  return {
    since,
    items: windowItems,
    keptSince: before(now, expiresAfter),
    ...(windowAge !== undefined && { leftBefore: before(now, windowAge) }),
  };
}
