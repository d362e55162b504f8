import type { MarkOf } from '#feedsync';
import type { Resigning } from '#core';
import type { Signature } from '#core';
import type { IssuedRecord } from '#core';
import type { Item, Modification } from './item.ts';
import { normalized } from './version.ts';

/**
 * What an item's histories say that this endpoint signed, those of its conflicts too: the sequence is the
 * version that a modification led to, and the latest modification has its mark.
 * @param markOf asked only for versions whose latest modification is by the endpoint
 */
export function signaturesOf<Data>(item: Item<Data>, by: string, markOf: MarkOf<Data>): Signature[] {
  const author = normalized(by);
  const signature = (sequence: number, { when }: Modification, of?: Item<Data>): Signature => ({
    sequence,
    ...(when !== undefined && { when }),
    ...(of && { mark: markOf(of.data, of.sync.deleted) }),
  });
  const ofHistory = (of: Item<Data>): Signature[] =>
    of.sync.history.flatMap((modification, index) =>
      normalized(modification.by) === author
        ? [signature(of.sync.version - index, modification, index === 0 ? of : undefined)]
        : [],
    );
  const ofConflicts = item.conflicts.flatMap((conflict) => {
    if (conflict.item) return ofHistory(conflict.item);
    return normalized(conflict.by) === author ? [signature(conflict.version, conflict)] : [];
  });
  return [...ofHistory(item), ...ofConflicts];
}

/**
 * The time to sign a version with: this one, or the first later one that tells it from the versions of the
 * same number that were signed before. Two modifications with the same version, `when` and `by` would be
 * taken for one (4.4, step 2).
 */
export function unusedTime(
  when: string | undefined,
  version: number,
  issued: Pick<IssuedRecord, 'versions'> | undefined,
): string | undefined {
  const used = new Set(
    issued?.versions.flatMap(({ sequence, when: time }) =>
      sequence === version && time !== undefined ? [Date.parse(time)] : [],
    ),
  );
  if (when === undefined || used.size === 0) return when;
  let time = Date.parse(when);
  while (used.has(time)) time += 1000;
  return time === Date.parse(when) ? when : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/**
 * The item with some of an endpoint's modifications under another identifier, in its conflicts too; all else
 * stays.
 */
export function resign<Data>(item: Item<Data>, resigning: Resigning): Item<Data> {
  const { from, to, isMoved } = resigning;
  const author = normalized(from);
  const resigned = <Some extends Modification>(sequence: number, modification: Some): Some =>
    normalized(modification.by) === author && isMoved({ sequence, ...modification })
      ? { ...modification, by: to }
      : modification;
  const { sync } = item;
  const history = sync.history.map((modification, index) => resigned(sync.version - index, modification));
  const conflicts = item.conflicts.map((conflict) =>
    resigned(
      conflict.version,
      conflict.item ? { ...conflict, item: resign(conflict.item, resigning) } : conflict,
    ),
  );
  return { ...item, sync: { ...sync, history }, conflicts };
}
