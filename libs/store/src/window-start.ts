import type { mongo } from 'mongoose';
import type { CollectionKey, FeedWindow, WindowStart } from '#core';
import type { ItemDocument } from './item-document.ts';

const place = { collection: 1, sequence: 1, deleted: 1 } as const;
const projection = { _id: 0, sequence: 1 } as const;

/**
 * Where the window begins after its purge, as `ItemStore.windowStart` says. Reads `items` places of the index
 * to find what leaves by count, and as many as its limit if there is one, then only the items that leave and
 * the first that stays.
 */
export async function windowStart(
  documents: mongo.Collection<ItemDocument>,
  collection: CollectionKey,
  { since: before, items, keptSince, leftBefore, limit }: FeedWindow,
): Promise<WindowStart> {
  /** The latest item that has so many newer ones. */
  const withNewer = async (count: number): Promise<number | undefined> => {
    const found = await documents.findOne(
      { collection, sequence: { $gt: before } },
      { projection, hint: place, sort: { sequence: -1 }, skip: count },
    );
    return found?.sequence;
  };
  const since = (limit === undefined ? undefined : await withNewer(limit)) ?? before;
  const inWindow = { collection, sequence: { $gt: since } };
  const crowded = (await withNewer(items)) ?? since;
  const stays = [
    { publishedAt: { $gt: keptSince } },
    { sequence: { $gt: crowded }, ...(leftBefore && { publishedAt: { $gte: leftBefore } }) },
  ];
  const first = await documents.findOne(
    { ...inWindow, $or: stays },
    { projection: { ...projection, publishedAt: 1 }, hint: place, sort: { sequence: 1 } },
  );
  const leaves =
    first?.sequence === undefined ? inWindow : { collection, sequence: { $gt: since, $lt: first.sequence } };
  const last = await documents.findOne(leaves, { projection, hint: place, sort: { sequence: -1 } });
  return {
    since: last?.sequence ?? since,
    ...(first?.publishedAt && { firstAt: first.publishedAt }),
    isCrowded: first?.sequence !== undefined && first.sequence <= crowded,
  };
}
