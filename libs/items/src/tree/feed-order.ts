import type { Feed } from '#cse';
import { sorted } from '#core';
import type { ItemId, PlacedItem, Steps } from '#core';
import { keysAlong } from '../keys-along.ts';
import { treeItemId } from '#cse';

/** The items of a feed, and what becomes of their places. */
export interface FeedOrder {
  /**
   * By the number of an item in its document, from 0: its id. An item that another one in the feed stands for
   * has none.
   */
  readonly ids: ReadonlyMap<number, ItemId>;
  /** By id: the keys of those that are new or stand elsewhere now. */
  readonly keys: ReadonlyMap<ItemId, string>;
  /** The live items that are not in the feed any more. */
  readonly gone: readonly ItemId[];
}

/** A live item, and its place among those of the feed. */
interface Standing extends Pick<PlacedItem, 'id' | 'position'> {
  readonly rank: number;
}

/**
 * Puts what is stored of a feed in the order of its document. Of items with the same guid, which is the
 * publisher's error, the newest counts, of those with the same date the first. Yields after every item.
 * @param stored the items of the feed in the order of their keys, tombstones too
 */
export function* orderFeed(feed: string, { items }: Feed, stored: readonly PlacedItem[]): Steps<FeedOrder> {
  const newest = new Map<string, number>();
  for (const [number, item] of items.entries()) {
    const other = newest.get(item.id);
    if (other === undefined || item.lastBuildDate > (items[other]?.lastBuildDate ?? ''))
      newest.set(item.id, number);
    yield;
  }
  const ids = new Map<number, ItemId>();
  for (const [guid, number] of yield* sorted([...newest], ([, a], [, b]) => a - b)) {
    ids.set(number, treeItemId(feed, guid));
    yield;
  }
  const live = new Map<ItemId, Standing>();
  // Nobody else puts anything here, so keys can be different, and feeds are read in the order of their keys:
  // of two equal ones the second goes.
  const byKey = new Map<string | undefined, Standing>();
  for (const { id, position, deleted } of stored) {
    yield;
    if (deleted) continue;
    const item = { id, position, rank: live.size };
    live.set(id, item);
    if (!byKey.has(position.key)) byKey.set(position.key, item);
  }
  const standing = (id: ItemId) =>
    [live.get(id)].find(
      (item) =>
        item !== undefined && item.position.key !== undefined && byKey.get(item.position.key) === item,
    );
  const keys = yield* keysAlong([...ids.values()], standing, { compare: (a, b) => a.rank - b.rank });
  const here = new Set(ids.values());
  return { ids, keys, gone: [...live.keys()].filter((id) => !here.has(id)) };
}
