import { describeFeed } from '#feed-xml';
import type { FeedHead, Format } from '#feed-xml';
import { formatDateTime } from '#items';
import { formatCursor } from '#contracts';
import type { Collection, Subscription } from '#core';
import { aggregatedFeeds, republishedMarkup } from './subscribed-feeds.ts';
import { feedOrigin } from './feed-origin.ts';
import { feedUrl } from './feed-url.ts';
import type { FeedVariant } from './feed-url.ts';
import { feedValidators } from './validators.ts';
import type { FeedValidators } from './validators.ts';

/** One answer to a request for a feed, without its items. */
export interface Feed extends FeedValidators {
  readonly head: FeedHead;
  /** Items with a sequence above this one belong to it. */
  readonly since: number;
}

/**
 * Decides what a feed says of itself (FeedSync 2.2, 4.2), from a collection that was read before any of its
 * items is: an item that changes meanwhile is then beyond `until`, and so read again.
 * @param wanted the sequence to begin after, where the request says so
 * @param format the feed's; the collection's own by default
 * @param subscriptions all of the collection, in order of id: what the head says of the feeds that they
 *   read (2.1.7, 2.3.1)
 */
export function composeFeed(
  collection: Collection,
  variant: FeedVariant,
  wanted: number | undefined,
  publicUrl: string,
  now: Date,
  {
    format = collection.format,
    subscriptions = [],
  }: { readonly format?: Format; readonly subscriptions?: readonly Subscription[] } = {},
): Feed {
  const { name, endpoint, title, settings, publication, createdAt } = collection;
  const since = wanted ?? (variant === 'complete' ? 0 : publication.since);
  const updated = publication.updatedAt ?? createdAt;
  const until = publication.sequence;
  const complete = { link: feedUrl(publicUrl, { name, format }, 'complete'), type: 'complete' } as const;
  const aggregated = settings.listSubscriptions === true ? aggregatedFeeds(subscriptions) : [];
  const markup = settings.republishMarkup === false ? [] : republishedMarkup(subscriptions);
  const head = describeFeed({
    format,
    ...feedOrigin(collection, feedUrl(publicUrl, { name, format }, variant), updated, wanted),
    sharing: {
      since: formatCursor(since),
      until: formatCursor(until),
      expires: formatDateTime(new Date(now.getTime() + settings.expiresAfter * 1000)),
      related: [...(variant === 'complete' ? [] : [complete]), ...aggregated],
    },
    markup,
  });
  const identity = [endpoint, title, format, variant, since, until, aggregated, markup];
  const isDated = aggregated.length === 0 && markup.length === 0;
  return { head, since, ...feedValidators(identity, isDated ? updated : undefined, now) };
}
