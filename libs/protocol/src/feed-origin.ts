import type { FeedDescription } from '#xml';
import { formatCursor } from '#contracts';
import type { Collection } from '#core';
import { feedUrn, formatDateTime } from './identity.ts';

/**
 * What every feed of a collection says of where it comes from: `since` is the sequence that its address asks
 * to begin after, if any.
 */
export function feedOrigin(
  collection: Pick<Collection, 'title' | 'endpoint' | 'retiredEndpoints'>,
  url: string,
  updated: Date,
  since?: number,
): Pick<FeedDescription, 'title' | 'id' | 'selfUrl' | 'updated' | 'author'> {
  const selfUrl = since === undefined ? url : `${url}?since=${formatCursor(since)}`;
  const { title } = collection;
  return { title, id: feedUrn(collection), selfUrl, updated: formatDateTime(updated), author: title };
}
