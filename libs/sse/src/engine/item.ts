import type { ForeignMarkup } from '#feedsync';
import type { ItemId, Position } from '#core';

/**
 * When an item was modified and by which endpoint: what `sx:history` (2.4) or one `sx:update` (2.5) says. At
 * least one of the two is present.
 */
export interface Modification {
  /** RFC 3339 in whole seconds and UTC, `2005-05-21T09:43:33Z`; the documents have RFC 822. */
  readonly when?: string;
  /** The endpoint's identifier. */
  readonly by?: string;
  readonly foreign?: ForeignMarkup;
}

/** One `sx:sync` element without its conflicts (2.3). */
export interface Sync {
  /** The item's identifier: given by its creator, never changed. */
  readonly id: ItemId;
  /** The modification sequence number, from 1 to 2^53-1. */
  readonly version: number;
  /** True for a tombstone. */
  readonly deleted: boolean;
  /** Whether an update conflict was detected that nobody has resolved yet. */
  readonly conflict: boolean;
  /**
   * The most recent modification first: what `sx:history` itself says, then each `sx:update`. At least one;
   * old ones may have been truncated (4.2).
   */
  readonly history: readonly Modification[];
  readonly foreign?: ForeignMarkup;
  /** What stands in and on `sx:conflicts` beside the conflicts; means nothing while there are none (5.1). */
  readonly conflictsForeign?: ForeignMarkup;
}

/** One `sx:conflict` element (5.2): a modification that lost. */
export interface Conflict<Data = unknown> {
  readonly version: number;
  readonly when?: string;
  readonly by?: string;
  /** The item as the modification left it, without conflicts of its own, if the element holds that. */
  readonly item?: Item<Data>;
  /** Everything else that the element holds. */
  readonly foreign?: ForeignMarkup;
}

/**
 * One item with the modifications that lost against it.
 * `Data` is the item's content, which the engine carries and never looks into.
 */
export interface Item<Data = unknown> {
  readonly sync: Sync;
  readonly data: Data;
  /** A flat, unordered list (5.2), at most one for each `by`. */
  readonly conflicts: readonly Conflict<Data>[];
  /** Where the item stands, in an ordered collection or a hierarchy (3.2); absent in an unordered one. */
  readonly position?: Position;
}
