import type { ItemId } from '#contracts';

/**
 * Where an item stands (3.2). It is part of the version: a move is an update. Items below one parent are in
 * the order of their keys, by code point; those with the same key were put at the same location by different
 * endpoints and are in the order of their ids.
 */
export interface Position {
  /** The id of the item that it stands in; absent below the root. */
  readonly parent?: string;
  /** As `keysBetween` makes it; absent if only `after` is known. */
  readonly key?: string;
  /**
   * For a place that was read from the order of a document and has yet to be given a key: the id of the item
   * that stands before this one below the same parent, empty for the first. With `key` the key is what the
   * item had before, and may still be right.
   */
  readonly after?: string;
  /**
   * With `after`: the id of the item that stood after this one in that document, below the same parent;
   * absent for the last.
   */
  readonly before?: string;
}

/** An item as far as its place is concerned. */
export interface Placed {
  readonly id: ItemId;
  readonly position: Position;
}
