import type { Collection, CollectionSettings, FeedWindow, ItemStore, WindowStart } from '#core';
import { protocolOf } from '#protocols';
import { after, beyond, earliest } from './times.ts';

type Items = Pick<ItemStore, 'windowStart' | 'publishedAfter'>;

/** Where a window begins, and until when at least. */
export interface WindowEdge {
  readonly since: number;
  /** When an item may leave it next by the passing of time alone; absent if none will. */
  readonly nextAt?: Date;
}

/**
 * Where a collection's window begins after its purge. Where feeds state the time from which they hold
 * every update (SSE 2.1), it never begins among items that were published under the same time, and those of
 * the last publication never leave. A tree of feeds is always published whole.
 * @param now the time that the window was made for
 */
export async function windowEdge(
  items: Items,
  collection: Pick<Collection, 'key' | 'protocol' | 'publication' | 'createdAt' | 'settings'>,
  window: FeedWindow,
  now: Date,
): Promise<WindowEdge> {
  const { key, publication, createdAt, settings } = collection;
  const { since, keptSince, limit } = window;
  const { structure, statesPublicationTimes } = protocolOf(collection);
  if (structure === 'feed-tree' || holdsAll(publication.sequence, window)) return { since };
  if (isYoung(createdAt, window) && !mayExceed(publication.sequence, window))
    return { since, nextAt: after(createdAt, settings.expiresAfter) };
  const start = await items.windowStart(key, window);
  if (!statesPublicationTimes) return edgeAt(start, settings);
  const first = start.firstAt ?? publication.updatedAt;
  const isWhole = start.since === since || first === undefined || (limit === undefined && first > keptSince);
  const whole = isWhole
    ? start
    : await items.windowStart(key, { since, items: 0, keptSince: new Date(first.getTime() - 1) });
  // Only the window itself says whether the first that stays is crowded: the second look counts no items.
  const { nextAt, ...edge } = edgeAt({ ...whole, isCrowded: start.isCrowded }, settings);
  // What could have left by its own time by now stays because of the others of that time.
  return nextAt !== undefined && nextAt > now ? { ...edge, nextAt } : edge;
}

/** Whether the window holds all that was ever published in the collection. */
function holdsAll(sequence: number, { since, items, leftBefore }: FeedWindow): boolean {
  return leftBefore === undefined && sequence - since <= items;
}

/** Whether more was ever published in the window than its limit. */
function mayExceed(sequence: number, { since, limit = Infinity }: FeedWindow): boolean {
  return sequence - since > limit;
}

/** Whether the whole collection is younger than what stays by its time. */
function isYoung(createdAt: Date, { keptSince, leftBefore }: FeedWindow): boolean {
  return createdAt > keptSince && (leftBefore === undefined || createdAt > leftBefore);
}

/** The same with the time at which the first item that stays leaves if nothing else is published. */
function edgeAt(
  { since, firstAt, isCrowded }: WindowStart,
  { expiresAfter, windowAge }: CollectionSettings,
): WindowEdge {
  if (firstAt === undefined) return { since };
  const nextAt = earliest(
    isCrowded ? after(firstAt, expiresAfter) : undefined,
    windowAge === undefined ? undefined : beyond(firstAt, Math.max(windowAge, expiresAfter)),
  );
  return { since, ...(nextAt && { nextAt }) };
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
  const edge = await items.windowStart(key, { since: sequence, items: 0, keptSince });
  return edge.since;
}
