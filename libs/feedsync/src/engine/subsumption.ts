import type { HistoryEntry, Item } from './item.ts';
import { topmost } from './version.ts';

/** Whether the history entry `x` is subsumed by the history entry `y` (3.3, footnote 2). */
export function isSubsumedBy(x: HistoryEntry, y: HistoryEntry): boolean {
  if (x.by !== undefined) return x.by === y.by && x.sequence <= y.sequence;
  return y.by === undefined && x.sequence === y.sequence && x.when === y.when;
}

/**
 * Whether the version `x` is subsumed by the version `y` of the same item (3.3, footnote 1). Conflicts are
 * not looked at.
 */
export function isItemSubsumedBy(x: Item, y: Item): boolean {
  const top = topmost(x);
  return y.sync.history.some((entry) => isSubsumedBy(top, entry));
}
