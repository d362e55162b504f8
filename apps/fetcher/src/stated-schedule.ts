import type { FeedHead } from '#xml';
import type { StatedSchedule } from '#core';

/** What the head of a feed says of when it is to be read again. */
export function statedSchedule({ ttl, syndication, sharing }: FeedHead): StatedSchedule {
  const { expires, window } = sharing ?? {};
  const { every, base } = syndication ?? {};
  return {
    ...(ttl !== undefined && { timeToLive: ttl * 60 }),
    ...(every !== undefined && { updates: { every, ...(base !== undefined && { base: new Date(base) }) } }),
    ...(expires !== undefined && { expires: new Date(expires) }),
    ...(window !== undefined && { window }),
  };
}

/**
 * What a feed said some time ago, as far as that still counts: once it has expired, a 304 says that it is
 * good.
 */
export function stillStated(stated: StatedSchedule | undefined, now: Date): StatedSchedule {
  const { expires, ...lasting } = stated ?? {};
  return { ...lasting, ...(expires !== undefined && expires > now && { expires }) };
}

/** What has to be stored of what a feed says: nothing if it says what it said. */
export function statedChange(
  former: StatedSchedule | undefined,
  stated: StatedSchedule,
): { readonly stated?: StatedSchedule } {
  const sorted = ({ timeToLive, updates, expires, window }: StatedSchedule): string =>
    JSON.stringify([timeToLive, updates?.every, updates?.base, expires, window]);
  return sorted(former ?? {}) === sorted(stated) ? {} : { stated };
}
