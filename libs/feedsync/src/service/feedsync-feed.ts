import { describeFeed } from '#xml';
import { formatCursor } from '#contracts';
import type { Collection } from '#core';
import { formatDateTime, sinceOf, feedUrl, feedOrigin, aggregatedFeeds, republishedMarkup } from '#protocol';
import type { ComposedFeed, FeedRequest } from '#protocol';

/**
 * Decides what a feed of FeedSync says of itself (FeedSync 2.2, 4.2), from a collection that was read before
 * any of its items is: an item that changes meanwhile is then beyond `until`, and so read again. Its head
 * names the subscribed feeds (2.3.1) and has their markup (2.1.7).
 */
export function composeFeedSyncFeed(
  collection: Collection,
  { variant, format, wanted, subscriptions, publicUrl, now }: FeedRequest,
): ComposedFeed {
  const { key, endpoint, title, settings, publication, createdAt } = collection;
  const since = sinceOf(collection, variant, wanted);
  const updated = publication.updatedAt ?? createdAt;
  const until = publication.sequence;
  const complete = { link: feedUrl(publicUrl, { key, format }, 'complete'), type: 'complete' } as const;
  const aggregated = settings.listSubscriptions === true ? aggregatedFeeds(subscriptions) : [];
  const markup = settings.republishMarkup === false ? [] : republishedMarkup(subscriptions);
  const head = describeFeed({
    format,
    ...feedOrigin(collection, feedUrl(publicUrl, { key, format }, variant), updated, wanted),
    sharing: {
      since: formatCursor(since),
      until: formatCursor(until),
      expires: formatDateTime(new Date(now.getTime() + settings.expiresAfter * 1000)),
      related: [...(variant === 'complete' ? [] : [complete]), ...aggregated],
    },
    markup,
  });
  const isDated = aggregated.length === 0 && markup.length === 0;
  return {
    head,
    since,
    identity: [endpoint, title, format, variant, since, until, aggregated, markup],
    ...(isDated && { updated }),
  };
}
