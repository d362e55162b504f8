import type { Feed } from '#cse';
import { finish } from '#core';
import type { ItemId, PlacedItem } from '#core';
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

/**
 * Puts what is stored of a feed in the order of its document. Of items with the same guid, which is the
 * publisher's error, the newest counts, of those with the same date the first.
 * @param stored the items of the feed in the order of their keys, tombstones too
 */
export function orderFeed(feed: string, { items }: Feed, stored: readonly PlacedItem[]): FeedOrder {
  const newest = new Map<string, number>();
  for (const [number, item] of items.entries()) {
    const other = newest.get(item.id);
    if (other === undefined || item.lastBuildDate > (items[other]?.lastBuildDate ?? ''))
      newest.set(item.id, number);
  }
  const ids = new Map(
    Array.from(newest, ([guid, number]) => [number, treeItemId(feed, guid)] as const).sort(
      ([a], [b]) => a - b,
    ),
  );
  const live = new Map(
    stored.filter(({ deleted }) => !deleted).map(({ id, position }, rank) => [id, { id, position, rank }]),
  );
  // Nobody else puts anything here, so keys can be different, and feeds are read in the order of their keys:
  // of two equal ones the second goes.
  const byKey = new Map([...live.values()].toReversed().map((item) => [item.position.key, item]));
  const standing = (id: ItemId) =>
    [live.get(id)].find(
      (item) =>
        item !== undefined && item.position.key !== undefined && byKey.get(item.position.key) === item,
    );
  const keys = finish(keysAlong([...ids.values()], standing, { compare: (a, b) => a.rank - b.rank }));
  const here = new Set(ids.values());
  return { ids, keys, gone: [...live.keys()].filter((id) => !here.has(id)) };
}
