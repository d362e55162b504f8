import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cacheControl } from '../access/published-feeds.ts';
import { isUnmodified } from '../requests/preconditions.ts';

/** What a client asks again with whether it has a feed (RFC 9110, 8.8). */
export interface FeedValidators {
  /** Weak: the same for the same items and the same head, whatever `expires` says. */
  readonly etag: string;
  /**
   * Absent while another change could come in the same second, which HTTP dates could not tell apart, and
   * if the head says something of subscribed feeds, whose changes have no date.
   */
  readonly lastModified?: Date;
}

/**
 * How far the publisher's clock may be behind ours, in milliseconds, before `Last-Modified` could hide a
 * change.
 */
const clockSkew = 2000;

/** A weak ETag, the same for the same identity. */
export function entityTag(identity: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest('base64url');
  return `W/"${digest.slice(0, 22)}"`;
}

/** `lastModified` of a feed that changed last at `updated`, if it may be sent at `now`. */
export function datedValidator(updated: Date | undefined, now: Date): Pick<FeedValidators, 'lastModified'> {
  const isDated = updated !== undefined && now.getTime() - updated.getTime() > clockSkew;
  return isDated ? { lastModified: updated } : {};
}

/**
 * Sets the validators of a feed on a response, and ends it with 304 if the client has this very feed.
 * @returns whether it has
 */
export function sendUnmodified(
  request: IncomingMessage,
  response: ServerResponse,
  { etag, lastModified }: FeedValidators,
): boolean {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', cacheControl(response, 'no-cache'));
  response.setHeader('Vary', 'Accept-Encoding');
  if (lastModified !== undefined) response.setHeader('Last-Modified', lastModified.toUTCString());
  if (!isUnmodified(request, etag, lastModified)) return false;
  response.statusCode = 304;
  response.end();
  return true;
}
