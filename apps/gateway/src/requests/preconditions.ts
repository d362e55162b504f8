import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../problems/problem-error.ts';

const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** The ETag of an item. */
export function revisionTag(revision: number): string {
  return `"${revision}"`;
}

/**
 * The revision that `If-Match` asks for: undefined for none or `*`; 0, which no item has, for a tag that we
 * never gave. Throws `ProblemError` 400 for anything but one entity tag or `*`.
 */
export function expectedRevision(ifMatch: string | undefined): number | undefined {
  const value = ifMatch?.trim();
  if (value === undefined || value === '*') return undefined;
  if (!entityTag.test(value))
    throw new ProblemError(
      400,
      'invalid-if-match',
      `If-Match is "*" or one entity tag such as "7" with its quotes, not ${value}.`,
    );
  const digits = /^"([1-9][0-9]{0,14})"$/.exec(value)?.[1];
  return digits === undefined ? 0 : Number(digits);
}

/**
 * Whether the client has this very representation (RFC 9110, 13.1.2 and 13.1.3): weak comparison of tags, and
 * `If-Modified-Since` only if no tag is given. A request's `Cache-Control` is for caches and is not looked
 * at, unlike in Express: `fetch` sends `no-cache` with every conditional request.
 */
export function isUnmodified(
  { headers }: Pick<IncomingMessage, 'headers'>,
  etag: string,
  lastModified?: Date,
): boolean {
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined)
    return noneMatch.trim() === '*' || noneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return (
    lastModified !== undefined &&
    !Number.isNaN(since) &&
    Math.floor(lastModified.getTime() / 1000) * 1000 <= since
  );
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
