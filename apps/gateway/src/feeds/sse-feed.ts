import { describeFeed } from '#feed-xml';
import { formatDateTime } from '#items';
import { formatCursor } from '#messages';
import type { Collection, Subscription } from '#ports';
import { feedUrl } from './feed-url.ts';
import type { FeedVariant } from './feed-url.ts';
import type { Feed } from './feed.ts';
import { aggregatedFeeds } from './subscribed-feeds.ts';
import { feedValidators } from './validators.ts';

/** What a feed of SSE is composed from, besides its collection. */
interface SseFeedRequest {
  readonly variant: FeedVariant;
  /** The sequence to begin after, where the request says so. */
  readonly wanted: number | undefined;
  /** When the first item of the feed was published; undefined where it has none. */
  readonly firstPublishedAt: Date | undefined;
  /** All of the collection, in order of id. */
  readonly subscriptions: readonly Subscription[];
  readonly publicUrl: string;
  readonly now: Date;
}

/** Of SSE, which counts in whole days. */
const secondsOfDay = 86_400;

/** The sequence that a feed begins after: 0 for a complete one. */
export function sinceOf({ publication }: Collection, variant: FeedVariant, wanted: number | undefined): number {
  return wanted ?? (variant === 'complete' ? 0 : publication.since);
}

/**
 * Decides what a feed of SSE says of itself (SSE 2.1, 2.2), from a collection that was read before any of its items is. The dates
 * of its items are those of their publication, which grow with the sequence. The window begins between two dates, so `since` is the
 * first one in it; after a cursor it is a second later, as other items of that second may be before the cursor. A feed that nothing
 * has left is complete, and has no `since`.
 */
export function composeSseFeed(collection: Collection, { variant, wanted, firstPublishedAt, subscriptions, publicUrl, now }: SseFeedRequest): Feed {
  const { format, endpoint, title, settings, publication, createdAt } = collection;
  const sequence = sinceOf(collection, variant, wanted);
  const updated = publication.updatedAt ?? createdAt;
  const since = sequence === 0 ? undefined : firstDate(firstPublishedAt, wanted, updated);
  const until = since === undefined || since < updated ? updated : since;
  const days = Math.floor(settings.expiresAfter / secondsOfDay);
  const url = feedUrl(publicUrl, collection, variant);
  const complete = { link: feedUrl(publicUrl, collection, 'complete'), type: 'complete', until: formatDateTime(updated) } as const;
  const aggregated = settings.listSubscriptions === true ? aggregatedFeeds(subscriptions) : [];
  const head = describeFeed({
    format,
    dialect: 'sse',
    ...(settings.namespace !== undefined && { namespace: settings.namespace }),
    title,
    id: `urn:feedmesh:${endpoint}`,
    selfUrl: wanted === undefined ? url : `${url}?since=${formatCursor(wanted)}`,
    updated: formatDateTime(updated),
    author: title,
    sharing: {
      version: '0.91',
      ...(since !== undefined && { since: formatDateTime(since) }),
      until: formatDateTime(until),
      ...(days > 0 && { window: days }),
      related: [...(variant === 'complete' ? [] : [complete]), ...aggregated],
    },
  });
  const identity = [endpoint, variant, sequence, publication.sequence, head];
  return { head, since: sequence, ...feedValidators(identity, aggregated.length === 0 ? updated : undefined, now) };
}

/** The date from which the feed holds every update; where it has none, the second after the last one. */
function firstDate(firstPublishedAt: Date | undefined, wanted: number | undefined, updated: Date): Date {
  const isExact = firstPublishedAt !== undefined && wanted === undefined;
  const second = Math.floor((firstPublishedAt ?? updated).getTime() / 1000);
  return new Date((isExact ? second : second + 1) * 1000);
}
