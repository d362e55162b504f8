import { compareCodePoints } from '#core';
import type { HistoryEntry, Item } from './item.ts';

/**
 * The topmost entry of an item's history. Throws RangeError if the history is empty, which 2.5 forbids.
 */
export function topmost(item: Item): HistoryEntry {
  const entry = item.sync.history[0];
  if (entry === undefined)
    throw new RangeError(`the item ${item.sync.id} has no history; FeedSync 2.5 asks for at least one entry`);
  return entry;
}

/** Whether `x` wins over `y` (3.3, footnote 3). Where nothing tells them apart the answer is false. */
export function isWinner(x: Item, y: Item): boolean {
  return compareUpdates(x, y) < 0;
}

/**
 * Sorts versions of one item, the winner first (3.3, footnote 3). Versions that winner picking cannot tell
 * apart follow in descending order of their topmost sequence. Returns 0 only for the same version: equal
 * `updates`, equal topmost entry.
 */
export function compareVersions(x: Item, y: Item): number {
  return compareUpdates(x, y) || topmost(y).sequence - topmost(x).sequence;
}

/**
 * A text that is equal for the same version and for no other: `updates` and the topmost entry. It is
 * unambiguous, for a date-time has no space in it and an identifier is never empty (2.1.2).
 */
export function versionKey(item: Item): string {
  const { sequence, when = '', by = '' } = topmost(item);
  return `${item.sync.updates} ${sequence} ${when} ${by}`;
}

function compareUpdates(x: Item, y: Item): number {
  if (x.sync.updates !== y.sync.updates) return y.sync.updates - x.sync.updates;
  const topX = topmost(x);
  const topY = topmost(y);
  return compareOptional(topY.when, topX.when) || compareOptional(topY.by, topX.by);
}

/** An absent value sorts before every present one. Texts of 2.1.5 sort by code point in the order of time. */
function compareOptional(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareCodePoints(a, b);
}
