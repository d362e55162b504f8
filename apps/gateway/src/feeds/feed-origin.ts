import type { FeedDescription } from '#feed-xml';
import { collectionUrn, formatDateTime } from '#items';
import { formatCursor } from '#messages';
import type { Collection } from '#ports';

/** What every feed of a collection says of where it comes from: `since` is the sequence that its address asks to begin after, if any. */
export function feedOrigin({ title, endpoint }: Pick<Collection, 'title' | 'endpoint'>, url: string, updated: Date, since?: number): Pick<FeedDescription, 'title' | 'id' | 'selfUrl' | 'updated' | 'author'> {
  const selfUrl = since === undefined ? url : `${url}?since=${formatCursor(since)}`;
  return { title, id: collectionUrn({ endpoint }), selfUrl, updated: formatDateTime(updated), author: title };
}
