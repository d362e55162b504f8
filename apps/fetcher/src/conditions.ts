import type { Cursor, FetchRequest } from '#core';

/** Milliseconds between two requests without conditions if nothing else is set: a day. */
export const usualUnconditional = 86_400_000;

/** How a feed is requested. */
interface RequestTerms {
  readonly now: Date;
  /** Milliseconds between two requests without conditions, at the least. */
  readonly unconditionalEvery?: number | undefined;
  /** Whether somebody has requested this fetch. */
  readonly isRequested: boolean;
}

/**
 * The conditions of a request (RFC 9110, 13.1): the validators as they came, both if there are two. A
 * response that had none is requested by its `Date`; so is a document that could not be read. These two are
 * requested without conditions once in a while, since a date does not tell two documents of one second apart,
 * and an unread one also when somebody requests it.
 */
export function conditionsOf(
  { etag, lastModified, date, unconditionalAt, isUnread }: Cursor,
  { now, unconditionalEvery = usualUnconditional, isRequested }: RequestTerms,
): Pick<FetchRequest, 'etag' | 'lastModified'> {
  if (isUnread === true && isRequested) return {};
  const since = unconditionalAt === undefined ? 0 : now.getTime() - unconditionalAt.getTime();
  if (unconditionalAt !== undefined && since >= unconditionalEvery) return {};
  const modified = lastModified ?? (etag === undefined ? date : undefined);
  return { ...(etag && { etag }), ...(modified && { lastModified: modified }) };
}

/** What a cursor keeps of a response for the conditions of the next request. */
export function validatorsOf(
  { etag, lastModified, date }: Pick<Cursor, 'etag' | 'lastModified' | 'date'>,
  unconditionalAt: Date | undefined,
): Pick<Cursor, 'etag' | 'lastModified' | 'date' | 'unconditionalAt'> {
  const hasValidator = (etag ?? lastModified ?? '') !== '';
  if (hasValidator) return { ...(etag && { etag }), ...(lastModified && { lastModified }) };
  return { ...(date && { date }), ...(date && unconditionalAt && { unconditionalAt }) };
}
