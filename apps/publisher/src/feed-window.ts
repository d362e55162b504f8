import type { CollectionSettings, FeedWindow } from '#core';
import { before } from './times.ts';

/** Items, where the settings say nothing. */
const defaultLimit = 10_000;

/**
 * What the partial feed keeps at a time (FeedSync 4.2.3, step 3, and 4.2.4). Whoever read the feed at `now`
 * or before was asked to come back within `expiresAfter`, so nothing that was published within that span
 * leaves until there are more items than its limit. Who comes for those is out of sync and reads the complete
 * feed (4.1.2), which `expires` allows: it is a best effort (2.2).
 * @param since where the window begins so far
 */
export function feedWindow(
  { windowItems, windowLimit = defaultLimit, windowAge, expiresAfter }: CollectionSettings,
  since: number,
  now: Date,
): FeedWindow & { readonly limit: number } {
  return {
    since,
    items: windowItems,
    keptSince: before(now, expiresAfter),
    ...(windowAge !== undefined && { leftBefore: before(now, windowAge) }),
    limit: Math.max(windowItems, windowLimit),
  };
}

/**
 * The same for a publication that has come from one sequence to another. To look at the limit costs as much
 * as the limit, so that is done once for a tenth of it: the feed grows beyond it by that much, and a block.
 */
export function publishedWindow(
  window: FeedWindow & { readonly limit: number },
  { from, to }: { readonly from: number; readonly to: number },
): FeedWindow {
  const share = Math.ceil(window.limit / 10);
  const { limit, ...unlimited } = window;
  const isLookedAt = to - window.since > limit && Math.floor(from / share) < Math.floor(to / share);
  return isLookedAt ? window : unlimited;
}
