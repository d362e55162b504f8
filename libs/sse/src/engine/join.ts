import type { Conflict, Item } from './item.ts';
import { joinPositions } from './position-join.ts';
import { compareStamps, normalized } from './version.ts';

/**
 * Joins two items that are identical by 4.4, step 2. The data is the local one's; what only grows is joined,
 * so that endpoints end with the same: either's `conflict`, either's conflicts, the longer history, and one
 * of two positions. Returns `local` itself if the incoming one adds nothing.
 */
export function joinIdentical<Data>(local: Item<Data>, incoming: Item<Data>): Item<Data> {
  const conflict = local.sync.conflict || incoming.sync.conflict;
  const history =
    incoming.sync.history.length > local.sync.history.length ? incoming.sync.history : local.sync.history;
  const conflicts = uniteConflicts(local.conflicts, incoming.conflicts);
  const position = joinPositions(local, incoming);
  const isSync = conflict === local.sync.conflict && history === local.sync.history;
  if (isSync && conflicts === local.conflicts && position === local.position) return local;
  const sync = isSync ? local.sync : { ...local.sync, conflict, history };
  return { ...local, sync, conflicts, ...(position !== undefined && { position }) };
}

/**
 * One conflict for each `by`, of the latest version and then of the latest time (5.2); those without `by`
 * count as of one. They come in a canonical order, the next winner first. Returns `own` itself if the
 * others add nothing.
 */
export function uniteConflicts<Data>(
  own: readonly Conflict<Data>[],
  others: readonly Conflict<Data>[],
): readonly Conflict<Data>[] {
  const latest = new Map<string, Conflict<Data>>();
  for (const conflict of [...own, ...others]) {
    const by = normalized(conflict.by);
    const known = latest.get(by);
    latest.set(by, known === undefined ? conflict : laterConflict(known, conflict));
  }
  const united = [...latest.values()].toSorted(compareStamps);
  const isOwn = united.length === own.length && united.every((conflict, index) => conflict === own[index]);
  return isOwn ? own : united;
}

function laterConflict<Data>(known: Conflict<Data>, other: Conflict<Data>): Conflict<Data> {
  const order = compareStamps(known, other);
  if (order !== 0) return order < 0 ? known : other;
  const item = known.item && other.item ? joinIdentical(known.item, other.item) : (known.item ?? other.item);
  const isKnown = item === known.item && (known.foreign !== undefined || other.foreign === undefined);
  return isKnown ? known : { ...other, ...known, item };
}
