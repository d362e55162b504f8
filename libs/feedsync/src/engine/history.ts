import type { HistoryEntry, Item, Sync } from './item.ts';
import { Knowledge } from './knowledge.ts';

/**
 * Merging Conflict Items (3.4, footnote 4): takes the given conflicts out of the item and adds what is new in
 * their histories right after the item's topmost entry, each entry compared with the history as it has become
 * by then.
 */
export function absorbConflicts<Data>(item: Item<Data>, resolved: ReadonlySet<Item<Data>>): Item<Data> {
  if (resolved.size === 0) return item;
  const [top, ...rest] = item.sync.history;
  const known = Knowledge.of([item]);
  const added: HistoryEntry[] = [];
  for (const conflict of resolved) {
    for (const entry of conflict.sync.history) {
      if (known.subsumes(entry)) continue;
      known.add(entry);
      added.push(entry);
    }
  }
  const history = [...(top === undefined ? [] : [top]), ...added.toReversed(), ...rest];
  return {
    sync: { ...item.sync, history },
    data: item.data,
    conflicts: item.conflicts.filter((conflict) => !resolved.has(conflict)),
  };
}

/**
 * Cleans up a history (3.2 and 3.4, MAY): of the entries with the same `by` only the one with the highest
 * sequence stays. The topmost entry and entries without `by` always stay, and the order does. What the
 * history subsumes stays the same.
 */
export function cleanUpHistory(sync: Sync): Sync {
  const highest = new Map<string, HistoryEntry>();
  for (const entry of sync.history) {
    if (entry.by === undefined) continue;
    const other = highest.get(entry.by);
    if (other === undefined || entry.sequence > other.sequence) highest.set(entry.by, entry);
  }
  const history = sync.history.filter(
    (entry, index) => index === 0 || entry.by === undefined || highest.get(entry.by) === entry,
  );
  return history.length === sync.history.length ? sync : { ...sync, history };
}
