import { FeedError } from '#xml';
import { FetchError } from '#core';
import type { Cursor, FetchResponse, Subscription } from '#core';
import { validatorsOf } from './conditions.ts';
import { keptFields } from './kept-fields.ts';

/** That the feed itself could not be read, though it is whole, and not another document that it leads to. */
export class UnreadFeedError extends FeedError {}

/**
 * The cursor of a feed that has never been read, so that its document is not sent again as long as it is the
 * same; undefined if the feed has been read before, or its server says nothing to tell documents apart by.
 */
export function unreadCursor(
  { digest }: Cursor,
  response: Extract<FetchResponse, { status: 'ok' }>,
  unconditionalAt: Date | undefined,
): Cursor | undefined {
  const { etag, lastModified } = keptFields(response);
  const { date } = response;
  const validators = validatorsOf({ etag, lastModified, date }, unconditionalAt);
  return digest !== undefined || Object.keys(validators).length === 0
    ? undefined
    : { ...validators, ...(unconditionalAt && { unconditionalAt }), isUnread: true };
}

/** What a 304 says of a document that could not be read: what was said of it before. */
export function stillUnread({ url, last }: Pick<Subscription, 'url' | 'last'>): FetchError {
  const { rule = 'feed-unread', reason = `${url} could not be read, and has not changed since` } = last ?? {};
  return new FetchError(rule, reason);
}
