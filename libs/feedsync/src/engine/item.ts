import type { ItemId } from '#core';

/**
 * Markup inside a FeedSync element that this version of the specification does not define; kept and
 * republished (2.1.7).
 */
export interface ForeignMarkup {
  readonly attributes: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly value: string;
  }[];
  /**
   * Each child element as XML that stands on its own. (Slices that were stored long ago are read in the scope
   * of their item.)
   */
  readonly children: readonly string[];
}

/** One `sx:history` element (2.5). At least one of `when` and `by` is present. */
export interface HistoryEntry {
  /** 1 to 2^31-1. */
  readonly sequence: number;
  /** RFC 3339 in whole seconds and UTC, `2005-05-21T09:43:33Z` (2.1.5). */
  readonly when?: string;
  /** The endpoint that made the modification, compared by code point (2.1.4). */
  readonly by?: string;
  readonly foreign?: ForeignMarkup;
}

/** One `sx:sync` element without its conflicts (2.4). */
export interface Sync {
  /** The item's identifier: given by its creator, never changed. */
  readonly id: ItemId;
  /** 1 to 2^31-1. */
  readonly updates: number;
  /** True for a tombstone. */
  readonly deleted: boolean;
  /** As the creator set it, carried by every later update; absent if the creator left it out. */
  readonly noconflicts?: boolean;
  /** Topmost (most recent) first; at least one. */
  readonly history: readonly HistoryEntry[];
  readonly foreign?: ForeignMarkup;
  /** What stands in and on `sx:conflicts` beside the conflicts; means nothing while there are none (2.6). */
  readonly conflictsForeign?: ForeignMarkup;
}

/**
 * One version of an item with the versions that conflict with it.
 * `Data` is the item's content, which the engine carries and never looks into.
 */
export interface Item<Data = unknown> {
  readonly sync: Sync;
  readonly data: Data;
  /** A flat list in canonical order, the next winner first; a conflict has no conflicts of its own (3.3). */
  readonly conflicts: readonly Item<Data>[];
}
