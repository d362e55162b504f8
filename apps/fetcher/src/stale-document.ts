import type { Cursor, FetchResponse } from '#core';

/**
 * Whether a document is older than the one that was read last, such as the copy of a cache that is behind: by
 * `Last-Modified` if both have it, else by `Date`.
 */
export function isStaleDocument(
  { lastModified, date }: Pick<Cursor, 'lastModified' | 'date'>,
  response: Pick<Extract<FetchResponse, { status: 'ok' }>, 'lastModified' | 'date'>,
): boolean {
  if (lastModified !== undefined && response.lastModified !== undefined)
    return isBefore(response.lastModified, lastModified);
  return date !== undefined && response.date !== undefined && isBefore(response.date, date);
}

/** Whether one date of HTTP is before another; false if one of them is none. */
function isBefore(one: string, other: string): boolean {
  return Date.parse(one) < Date.parse(other);
}
