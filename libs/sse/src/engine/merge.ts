import { TooManyConflictsError } from '#core';
import { conflictOf, isConflict, isInHistory } from './conflict.ts';
import type { Item } from './item.ts';
import { joinIdentical, uniteConflicts } from './join.ts';
import { followPosition } from './position-join.ts';
import { compareVersions } from './version.ts';

/** How many conflicts a merge keeps by default. */
const defaultMaximumConflicts = 20_000;

export interface MergeOptions {
  /** The most conflicts that a merged item may have; default 20000. */
  readonly maximumConflicts?: number;
}

export interface MergeResult<Data> {
  readonly item: Item<Data>;
  /**
   * False if the local item already says all that the incoming one does; then `item` is the local item
   * itself.
   */
  readonly changed: boolean;
}

/**
 * Merges an incoming item into the local one with the same id (4.4, 4.4.1, 5.2), in time linear in the number
 * of conflicts, plus sorting. Neither is changed. Throws TypeError for items of different ids,
 * TooManyConflictsError.
 */
export function merge<Data>(
  local: Item<Data> | undefined,
  incoming: Item<Data>,
  { maximumConflicts = defaultMaximumConflicts }: MergeOptions = {},
): MergeResult<Data> {
  if (local !== undefined && local.sync.id !== incoming.sync.id)
    throw new TypeError(`cannot merge the item ${incoming.sync.id} into the item ${local.sync.id}`);
  const item =
    local === undefined
      ? withConflicts(incoming, uniteConflicts(incoming.conflicts, []))
      : mergeVersions(local, incoming);
  if (item.conflicts.length > maximumConflicts)
    throw new TooManyConflictsError(item.sync.id, item.conflicts.length, maximumConflicts);
  return { item, changed: item !== local };
}

function mergeVersions<Data>(local: Item<Data>, incoming: Item<Data>): Item<Data> {
  const order = compareVersions(local, incoming);
  if (order === 0) return joinIdentical(local, incoming);
  if (order < 0) return withLoser(local, incoming);
  const position = followPosition(local.position, incoming.position);
  return withLoser(position === incoming.position ? incoming : { ...incoming, position }, local);
}

/**
 * The winner as it is, and where the two are in conflict with the loser and its conflicts, but for those that
 * the winner has seen (5.2).
 */
function withLoser<Data>(winner: Item<Data>, loser: Item<Data>): Item<Data> {
  if (!isConflict(winner, loser)) return withConflicts(winner, uniteConflicts(winner.conflicts, []));
  const unseen = loser.conflicts.filter((conflict) => !isInHistory(winner, conflict));
  const disputed = winner.sync.conflict ? winner : { ...winner, sync: { ...winner.sync, conflict: true } };
  return withConflicts(disputed, uniteConflicts(winner.conflicts, [conflictOf(loser), ...unseen]));
}

function withConflicts<Data>(item: Item<Data>, conflicts: Item<Data>['conflicts']): Item<Data> {
  return conflicts === item.conflicts ? item : { ...item, conflicts };
}
