import { createHash } from 'node:crypto';
import type { Feed } from './feed.ts';

/** How far the publisher's clock may be behind ours, in milliseconds, before `Last-Modified` could hide a change. */
const clockSkew = 2000;

/**
 * What a client may ask again with whether it has this feed (RFC 9110, 8.8).
 * @param identity what the feed is made of: equal for the same items and the same head
 * @param updated when it last changed, if that can be told
 */
export function feedValidators(identity: unknown, updated: Date | undefined, now: Date): Pick<Feed, 'etag' | 'lastModified'> {
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest('base64url');
  const isDated = updated !== undefined && now.getTime() - updated.getTime() > clockSkew;
  return { etag: `W/"${digest.slice(0, 22)}"`, ...(isDated && { lastModified: updated }) };
}
