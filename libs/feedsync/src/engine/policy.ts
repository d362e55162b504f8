import { compareCodePoints } from '#core';
import { EditLimitError } from './edit-error.ts';
import type { HistoryEntry, Item } from './item.ts';
import { resolveItem } from './resolve.ts';
import { compareVersions, topmost } from './version.ts';

/**
 * Which version's state (content, deletion) becomes the item's, by its place; or new content. The versions
 * come in canonical order, the winner first; `origins` has, for each, the entry under which its state was
 * written: its topmost one, or for a resolution that of the version it took the state from.
 */
export type Choice<Data> = (
  versions: readonly Item<Data>[],
  origins: readonly HistoryEntry[],
) => number | { readonly data: Data };

/** A programmatic resolution (3.4). */
export interface Policy<Data> {
  /** Letters, digits and "-". The same wherever `choose` is the same, and nowhere else. */
  readonly fingerprint: string;
  readonly choose: Choice<Data>;
  /** A short digest, of letters, digits, "-" and "_". */
  readonly digest: (text: string) => string;
}

/** How the `by` of every programmatic resolution begins. */
const resolutionPrefix = 'resolution:';

/**
 * Resolves all conflicts of an item as a policy says (3.4), so that every endpoint that knows the same writes
 * the same version. The update (3.2) is by `resolution:<fingerprint>:<knowledge>:<origin>`: digests of what
 * all versions know, resolutions of this policy left out, and of whose state was taken. Its `when` is the
 * latest that is known. Where the policy has already resolved the very same knowledge, `choose` is not asked
 * again: the resolution whose `by` sorts first stands. So endpoints that resolve step by step in any order
 * end with one version.
 *
 * The item itself is returned if it has no conflicts, if a version is a resolution of another policy
 * (two policies would go on for ever), and if `updates` or `sequence` would pass 2^31-1. Throws RangeError
 * if `choose` names no version, and whatever `choose` throws.
 */
export function resolveByPolicy<Data>(item: Item<Data>, policy: Policy<Data>): Item<Data> {
  const versions = [item, ...item.conflicts].toSorted(compareVersions);
  const own = `${resolutionPrefix}${policy.fingerprint}:`;
  const bys = versions.map((version) => topmost(version).by ?? '');
  if (item.conflicts.length === 0 || bys.some((by) => by.startsWith(resolutionPrefix) && !by.startsWith(own)))
    return item;
  const known = knownEntries(versions, own);
  const mine = `${own}${policy.digest(known.map(entryText).toSorted(compareCodePoints).join('\n'))}:`;
  const when = known.map((entry) => entry.when).reduce(later, undefined);
  const [standing] = bys.filter((by) => by.startsWith(mine)).toSorted(compareCodePoints);
  const { kept, data, by } =
    standing === undefined
      ? chosen(versions, own, mine, policy)
      : { kept: versions[bys.indexOf(standing)], data: undefined, by: standing };
  const conflict = item.conflicts.findIndex((version) => version === kept);
  try {
    return resolveItem(item, {
      keep: conflict === -1 ? 'winner' : { conflict },
      by,
      ...(data !== undefined && { data }),
      ...(when !== undefined && { when }),
    });
  } catch (error) {
    if (error instanceof EditLimitError) return item;
    throw error;
  }
}

/** Takes the state with the latest `when`; none is the oldest. Among equals, the first in canonical order. */
export function latest(_versions: readonly Item[], origins: readonly HistoryEntry[]): number {
  let found = 0;
  for (const [place, { when = '' }] of origins.entries())
    if (compareCodePoints(when, origins[found]?.when ?? '') > 0) found = place;
  return found;
}

/** Takes the first state in canonical order that this endpoint wrote; the winner's if there is none. */
export function preferEndpoint(
  endpoint: string,
): (versions: readonly Item[], origins: readonly HistoryEntry[]) => number {
  return (_versions, origins) =>
    Math.max(
      0,
      origins.findIndex(({ by }) => by === endpoint),
    );
}

function chosen<Data>(
  versions: readonly Item<Data>[],
  own: string,
  mine: string,
  { choose, digest }: Policy<Data>,
) {
  const marks = versions.map((version) => {
    const entry = topmost(version);
    return entry.by?.startsWith(own) === true
      ? entry.by.slice(entry.by.lastIndexOf(':') + 1)
      : digest(entryText(entry));
  });
  const origins = versions.map(
    (version, place) =>
      version.sync.history.find((entry) => digest(entryText(entry)) === marks[place]) ?? topmost(version),
  );
  const choice = choose(versions, origins);
  if (typeof choice !== 'number')
    return { kept: undefined, data: choice.data, by: `${mine}${digest(JSON.stringify(choice.data))}` };
  const kept = versions[choice];
  if (kept === undefined)
    throw new RangeError(
      `the choice is ${choice}; the item ${versions[0]?.sync.id} has ${versions.length} versions, ` +
        'counted from 0',
    );
  return { kept, data: undefined, by: `${mine}${marks[choice]}` };
}

/**
 * What the histories know, however much they were cleaned up: the highest entry of each `by`, and all without
 * one.
 */
function knownEntries(versions: readonly Item[], own: string): HistoryEntry[] {
  const highest = new Map<string, HistoryEntry>();
  for (const entry of versions.flatMap(({ sync }) => sync.history)) {
    if (entry.by?.startsWith(own) === true) continue;
    const key = entry.by === undefined ? ` ${entryText(entry)}` : entry.by;
    if (entry.sequence > (highest.get(key)?.sequence ?? 0)) highest.set(key, entry);
  }
  return [...highest.values()];
}

function entryText({ sequence, when = '', by = '' }: HistoryEntry): string {
  return `${sequence} ${when} ${by}`;
}

function later(a: string | undefined, b: string | undefined): string | undefined {
  return compareCodePoints(a ?? '', b ?? '') < 0 ? b : a;
}
