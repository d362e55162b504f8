import { createHash } from 'node:crypto';
import { describeFeed } from '#feed-xml';
import type { FeedHead } from '#feed-xml';
import { formatDateTime } from '#items';
import { formatCursor } from '#messages';
import type { Collection } from '#ports';
import { feedUrl } from './feed-url.ts';
import type { FeedVariant } from './feed-url.ts';

/** One answer to a request for a feed, without its items. */
export interface Feed {
  readonly head: FeedHead;
  /** Items with a sequence above this one belong to it. */
  readonly since: number;
  /** Weak: the same for the same items, whatever `expires` says. */
  readonly etag: string;
  /** Absent while another change could come in the same second, which HTTP dates could not tell apart. */
  readonly lastModified?: Date;
}

/** How far the publisher's clock may be behind ours, in milliseconds, before `Last-Modified` could hide a change. */
const clockSkew = 2000;

/**
 * Decides what a feed says of itself (FeedSync 2.2, 4.2), from a collection that was read before any of its items is: an item
 * that changes meanwhile is then beyond `until`, and so read again.
 * @param wanted the sequence to begin after, where the request says so
 */
export function composeFeed(collection: Collection, variant: FeedVariant, wanted: number | undefined, publicUrl: string, now: Date): Feed {
  const { endpoint, title, format, settings, publication, createdAt } = collection;
  const since = wanted ?? (variant === 'complete' ? 0 : publication.since);
  const updated = publication.updatedAt ?? createdAt;
  const until = publication.sequence;
  const url = feedUrl(publicUrl, collection, variant);
  const complete = { link: feedUrl(publicUrl, collection, 'complete'), type: 'complete' } as const;
  const head = describeFeed({
    format,
    title,
    id: `urn:feedmesh:${endpoint}`,
    selfUrl: wanted === undefined ? url : `${url}?since=${formatCursor(wanted)}`,
    updated: formatDateTime(updated),
    author: title,
    sharing: {
      since: formatCursor(since),
      until: formatCursor(until),
      expires: formatDateTime(new Date(now.getTime() + settings.expiresAfter * 1000)),
      related: variant === 'complete' ? [] : [complete],
    },
  });
  const digest = createHash('sha256').update(JSON.stringify([endpoint, title, format, variant, since, until])).digest('base64url');
  return { head, since, etag: `W/"${digest.slice(0, 22)}"`, ...(now.getTime() - updated.getTime() > clockSkew && { lastModified: updated }) };
}
