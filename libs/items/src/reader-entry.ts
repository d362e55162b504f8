import type { ReaderEntry } from '#xml';
import type { Collection, LatestItem, Steps } from '#core';
import { formatDateTime, publishedId } from '#protocol';
import { protocolOf } from '#protocols';

/** How many sequences have an instant of their own within one second. */
const instants = 1_000_000;

/**
 * An item as an entry for feed readers; undefined for one that they are not to show. Its id is the one that
 * feeds of FeedSync give it. `published` is when the item was made, which stays, `updated` the time of its
 * latest version, with the sequence as the fraction of the second: so no two entries of one feed have the
 * same, as many readers demand. Neither is later than the publication, whatever an author's clock says.
 */
export function* readerEntry(
  collection: Collection,
  item: LatestItem,
  publicUrl: string,
): Steps<ReaderEntry | undefined> {
  const { id, content, version, sequence, createdAt, updatedAt, publishedAt = updatedAt } = item;
  const read = yield* protocolOf(collection).readerItem(content, collection, publicUrl);
  if (read === undefined) return undefined;
  const changed = Date.parse(version.history?.when ?? '');
  const latest = Math.max(
    createdAt.getTime(),
    Math.min(Number.isNaN(changed) ? updatedAt.getTime() : changed, publishedAt.getTime()),
  );
  const fraction = String(sequence % instants).padStart(6, '0');
  return {
    ...read,
    id: publishedId(collection, id),
    published: formatDateTime(createdAt),
    updated: formatDateTime(new Date(latest)).replace('Z', `.${fraction}Z`),
  };
}
