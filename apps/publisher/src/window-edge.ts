import type { Collection, FeedWindow, ItemStore } from '#core';
import { protocolOf } from '#protocols';

type Items = Pick<ItemStore, 'windowStart' | 'publishedAfter'>;

/**
 * Where a collection's window begins after its purge. Where feeds state the time from which they hold
 * every update (SSE 2.1), it never begins among items that were published under the same time, and those of
 * the last publication never leave. A tree of feeds is always published whole.
 */
export async function windowEdge(
  items: Items,
  collection: Pick<Collection, 'key' | 'protocol' | 'publication' | 'createdAt'>,
  window: FeedWindow,
): Promise<number> {
  const { key, publication } = collection;
  const { structure, statesPublicationTimes } = protocolOf(collection);
  if (structure === 'feed-tree' || nothingLeaves(collection, window)) return window.since;
  const start = await items.windowStart(key, window);
  if (!statesPublicationTimes || start === window.since) return start;
  const first = (await items.publishedAfter(key, start)) ?? publication.updatedAt;
  if (first === undefined || first > window.keptSince) return start;
  return items.windowStart(key, { ...window, keptSince: new Date(first.getTime() - 1) });
}

/**
 * Whether it is known without reading that nothing leaves: there is room for all that was ever published in
 * the window, or the whole collection is younger than what stays by its time.
 */
function nothingLeaves(
  { publication, createdAt }: Pick<Collection, 'publication' | 'createdAt'>,
  { since, items, keptSince, leftBefore }: FeedWindow,
): boolean {
  const hasRoom = leftBefore === undefined && publication.sequence - since <= items;
  return hasRoom || (createdAt > keptSince && (leftBefore === undefined || createdAt > leftBefore));
}

/**
 * Where the window may begin so that an item is not in it: after it, and if feeds state times, after all
 * that were published under the same time.
 * @param item its sequence, and a time that it was published before: what is newer stays
 */
export async function edgeAfter(
  items: Items,
  collection: Pick<Collection, 'key' | 'protocol'>,
  { sequence, publishedBefore }: { sequence: number; publishedBefore: Date },
): Promise<number> {
  if (!protocolOf(collection).statesPublicationTimes) return sequence;
  const { key } = collection;
  const published = await items.publishedAfter(key, sequence - 1);
  const keptSince = published !== undefined && published < publishedBefore ? published : publishedBefore;
  return items.windowStart(key, { since: sequence, items: 0, keptSince });
}
