import { finish } from '#core';
import type { CollectionKey, Store } from '#core';
import { keysInOrder } from '#sse';
import type { Position } from '#core';

/** The place before all items of a feed, deleted ones too. */
export async function firstPosition(
  items: Store['items'],
  collection: CollectionKey,
  feed: string,
): Promise<Position> {
  const [key] = finish(keysInOrder(1, undefined, await items.firstKey(collection, feed)));
  return { parent: feed, ...(key !== undefined && { key }) };
}
