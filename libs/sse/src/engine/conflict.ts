import type { Conflict, Item, Modification } from './item.ts';
import { normalized, stampOf, type Stamp } from './version.ts';

/** What an absent `when` stands for (2.4): the earliest time that RFC 822 with four-digit years can say. */
const earliestTime = '0000-01-01T00:00:00Z';

/**
 * Whether the two were edited independently (4.4.1, step 1): the winner's history, as far as it reaches back,
 * has another modification where the loser's latest one should be.
 */
export function isConflict(winner: Item, loser: Item): boolean {
  const lost = stampOf(loser);
  const update = updateBefore(winner, lost.version);
  return update !== undefined && !isSame(update, lost);
}

/** Whether a modification is known to be one of those that led to the item. */
export function isInHistory(item: Item, modification: Stamp): boolean {
  const update = updateBefore(item, modification.version);
  return update !== undefined && isSame(update, modification);
}

/** The loser's modification as `sx:conflict` keeps it (5.2), with the loser's data. */
export function conflictOf<Data>(loser: Item<Data>): Conflict<Data> {
  const { version, when, by } = stampOf(loser);
  return {
    version,
    ...(when !== undefined && { when }),
    ...(by !== undefined && { by }),
    item: loser.conflicts.length === 0 ? loser : { ...loser, conflicts: [] },
  };
}

/**
 * The modification that led to an earlier version of the item: its nth update, and for n = 0 its latest one
 * (4.4.1, step 1.3).
 */
function updateBefore({ sync }: Item, version: number): Modification | undefined {
  return sync.history[sync.version - version];
}

/** Values that are absent compare by their defaults (2.4, 2.5). */
function isSame(a: Modification, b: Modification): boolean {
  return (a.when ?? earliestTime) === (b.when ?? earliestTime) && normalized(a.by) === normalized(b.by);
}
