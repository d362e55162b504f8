import type { Collection, FeedWindow, ItemStore } from '#core';

type Items = Pick<ItemStore, 'windowStart' | 'publishedAfter'>;

/**
 * Where a collection's window begins after its purge. SSE tells readers the time from which the feed holds
 * every update (SSE 2.1), so there it never begins among items that were published under the same time, and
 * those of the last publication never leave. A tree of feeds (CSE) is always published whole.
 */
export async function windowEdge(
  items: Items,
  { name, protocol, publication }: Pick<Collection, 'name' | 'protocol' | 'publication'>,
  window: FeedWindow,
): Promise<number> {
  if (protocol === 'cse') return window.since;
  const start = await items.windowStart(name, window);
  if (protocol === 'feedsync' || start === window.since) return start;
  const first = (await items.publishedAfter(name, start)) ?? publication.updatedAt;
  if (first === undefined || first > window.keptSince) return start;
  return items.windowStart(name, { ...window, keptSince: new Date(first.getTime() - 1) });
}

/**
 * Where the window may begin so that an item is not in it: after it, and with SSE after all that were
 * published under the same time.
 * @param item its sequence, and a time that it was published before: what is newer stays
 */
export async function edgeAfter(
  items: Items,
  { name, protocol }: Pick<Collection, 'name' | 'protocol'>,
  { sequence, publishedBefore }: { sequence: number; publishedBefore: Date },
): Promise<number> {
  if (protocol === 'feedsync') return sequence;
  const published = await items.publishedAfter(name, sequence - 1);
  const keptSince = published !== undefined && published < publishedBefore ? published : publishedBefore;
  return items.windowStart(name, { since: sequence, items: 0, keptSince });
}
