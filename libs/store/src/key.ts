import { itemId } from '#core';
import type { CollectionKey, ItemId } from '#core';

/** What every stored key begins with: the collection, which holds no `/`. */
export function keyOf(collection: CollectionKey, id: string): string {
  return `${collection}/${id}`;
}

/** The id within its collection that a stored key stands for. */
export function idOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** The item that a stored key stands for. */
export function itemIdOf(key: string): ItemId {
  return itemId(idOf(key));
}

/**
 * A condition on `_id`: every key of the collection, or every one above `after`. Keys compare by code point,
 * as UTF-8 bytes do.
 */
export function keysOf(collection: CollectionKey, after = ''): { $gt: string; $lt: string } {
  // '0' is the character after '/'.
  return { $gt: `${collection}/${after}`, $lt: `${collection}0` };
}

/** A condition on the keys of collections: those after a place in a list, by default all. */
export function collectionsAfter(place = ''): { $gt: CollectionKey } {
  return { $gt: place as CollectionKey };
}
