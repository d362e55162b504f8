import { TooManyConflictsError } from '#core';
import type { Item } from './item.ts';
import { Knowledge } from './knowledge.ts';
import { compareVersions, topmost, versionKey } from './version.ts';

/** How many conflicts a merge keeps by default. */
const defaultMaximumConflicts = 20_000;

export interface MergeOptions<Data> {
  /** The most conflicts that a merged item may have; default 20000. */
  readonly maximumConflicts?: number;
  /**
   * Whether two contents are the same; with it the result counts versions that arrived with other content
   * than the local one.
   */
  readonly sameData?: (local: Data, incoming: Data) => boolean;
}

export interface MergeResult<Data> {
  readonly item: Item<Data>;
  /** False if winner and conflicts are the local ones; then `item` is the local item itself. */
  readonly changed: boolean;
  /** How many incoming versions are local ones with other content; always 0 without `sameData`. */
  readonly sameVersionOtherData: number;
}

/**
 * Merges an incoming item into the local one with the same id (3.3), in time linear in the number of versions
 * and history entries, plus sorting. Neither is changed. Where both hold the same version (equal `updates`,
 * equal topmost entry) the local one stays; within one item a version counts once. Throws
 * TooManyConflictsError.
 */
export function merge<Data>(
  local: Item<Data> | undefined,
  incoming: Item<Data>,
  options: MergeOptions<Data> = {},
): MergeResult<Data> {
  const received = versionsOf(incoming);
  if (local === undefined)
    return {
      item: assemble(incoming, conflictsOf(incoming, received.values()), options),
      changed: true,
      sameVersionOtherData: 0,
    };
  if (local.sync.id !== incoming.sync.id)
    throw new TypeError(`cannot merge the item ${incoming.sync.id} into the item ${local.sync.id}`);

  const held = versionsOf(local);
  let sameVersionOtherData = 0;
  for (const [key, version] of received) {
    const own = held.get(key);
    if (own === undefined) continue;
    if (options.sameData?.(own.data, version.data) === false) sameVersionOtherData += 1;
    received.set(key, own);
  }

  const keptLocal = withoutSubsumed(held.values(), received.values());
  const keptIncoming = withoutSubsumed(received.values(), keptLocal);
  const merged = [...keptLocal, ...keptIncoming];
  const winner = merged.reduce((best, version) => (compareVersions(version, best) < 0 ? version : best));
  const conflicts = conflictsOf(winner, merged);
  if (winner === local && sameMembers(conflicts, local.conflicts))
    return { item: local, changed: false, sameVersionOtherData };
  return { item: assemble(winner, conflicts, options), changed: true, sameVersionOtherData };
}

/**
 * The item and its conflicts as a flat list (3.3, steps 2 and 3), each version once: the first one counts.
 */
function versionsOf<Data>(
  item: Item<Data>,
  versions = new Map<string, Item<Data>>(),
): Map<string, Item<Data>> {
  const key = versionKey(item);
  if (!versions.has(key)) versions.set(key, item);
  for (const conflict of item.conflicts) versionsOf(conflict, versions);
  return versions;
}

/** Step 7 of 3.3: the outer versions that no inner one subsumes (footnote 1). */
function withoutSubsumed<Data>(outer: Iterable<Item<Data>>, inner: Iterable<Item<Data>>): Item<Data>[] {
  const known = Knowledge.of(inner);
  return [...outer].filter((version) => !known.subsumes(topmost(version)));
}

/**
 * Steps 10 and 11 of 3.3: the merged versions but the winner; none if the winner wants no conflicts kept.
 */
function conflictsOf<Data>(winner: Item<Data>, merged: Iterable<Item<Data>>): Item<Data>[] {
  return winner.sync.noconflicts === true ? [] : [...merged].filter((version) => version !== winner);
}

function sameMembers<Data>(conflicts: readonly Item<Data>[], others: readonly Item<Data>[]): boolean {
  const members = new Set(conflicts);
  return members.size === others.length && others.every((other) => members.has(other));
}

/** The winner with its conflicts, flat and in canonical order. */
function assemble<Data>(
  winner: Item<Data>,
  conflicts: readonly Item<Data>[],
  options: MergeOptions<Data>,
): Item<Data> {
  const { maximumConflicts = defaultMaximumConflicts } = options;
  if (conflicts.length > maximumConflicts)
    throw new TooManyConflictsError(winner.sync.id, conflicts.length, maximumConflicts);
  return { ...winner, conflicts: conflicts.toSorted(compareVersions).map(withoutConflicts) };
}

function withoutConflicts<Data>(version: Item<Data>): Item<Data> {
  return version.conflicts.length === 0 ? version : { ...version, conflicts: [] };
}
