import { describeFeed } from '#xml';
import type { Collection } from '#core';
import { sseNamespaces } from '../xml/namespace.ts';
import { formatDateTime, sinceOf, feedUrl, feedOrigin, aggregatedFeeds } from '#protocol';
import type { ComposedFeed, FeedRequest } from '#protocol';

/** Of SSE, which counts in whole days. */
const secondsOfDay = 86_400;

/**
 * Decides what a feed of SSE says of itself (SSE 2.1, 2.2), from a collection that was read before any of its
 * items is. The dates of its items are those of their publication, which grow with the sequence. The window
 * begins between two dates, so `since` is the first one in it; after a cursor it is a second later, as other
 * items of that second may be before the cursor. A feed that nothing has left is complete, and has no
 * `since`.
 */
export function composeSseFeed(
  collection: Collection,
  { variant, wanted, firstPublishedAt, subscriptions, publicUrl }: FeedRequest,
): ComposedFeed {
  const { format, endpoint, settings, publication, createdAt } = collection;
  const sequence = sinceOf(collection, variant, wanted);
  const updated = publication.updatedAt ?? createdAt;
  const since = sequence === 0 ? undefined : firstDate(firstPublishedAt, wanted, updated);
  const until = since === undefined || since < updated ? updated : since;
  const days = Math.floor(settings.expiresAfter / secondsOfDay);
  const complete = {
    link: feedUrl(publicUrl, collection, 'complete'),
    type: 'complete',
    until: formatDateTime(updated),
  } as const;
  const aggregated = aggregatedFeeds(subscriptions);
  const head = describeFeed({
    format,
    namespaces: [['sx', sseNamespaces[settings.namespace ?? 'https']]],
    ...feedOrigin(collection, feedUrl(publicUrl, collection, variant), updated, wanted),
    sharing: {
      version: '0.91',
      ...(since !== undefined && { since: formatDateTime(since) }),
      until: formatDateTime(until),
      ...(days > 0 && { window: days }),
      related: [...(variant === 'complete' ? [] : [complete]), ...aggregated],
    },
  });
  return {
    head,
    since: sequence,
    identity: [endpoint, variant, sequence, publication.sequence, head],
    ...(aggregated.length === 0 && { updated }),
  };
}

/**
 * The date from which the feed holds every update. In a window that is at most the last publication's: what
 * was published since the collection was read has a later one, and `until` must not follow it while more may
 * be coming under that date.
 */
function firstDate(firstPublishedAt: Date | undefined, wanted: number | undefined, updated: Date): Date {
  const first = firstPublishedAt ?? updated;
  if (wanted === undefined) return first < updated ? first : updated;
  return new Date((Math.floor(first.getTime() / 1000) + 1) * 1000);
}
