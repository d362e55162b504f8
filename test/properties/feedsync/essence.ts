import { type Item } from '#feedsync';
import { compareCodePoints } from '#core';

/**
 * Everything about an item that must be the same wherever it is: each version, winner first, with what it
 * subsumes.
 */
export function essence(item: Item | undefined): unknown {
  return item && [item, ...item.conflicts].map(versionEssence);
}

/**
 * What a version subsumes does not change when its history is cleaned up: the highest sequence of each
 * endpoint.
 */
function versionEssence({ sync, data }: Item): unknown {
  return {
    updates: sync.updates,
    deleted: sync.deleted,
    noconflicts: sync.noconflicts,
    top: sync.history[0],
    data,
    subsumes: Object.fromEntries(greatest([sync])),
  };
}

/** The highest sequence of each endpoint in some histories, in the order of the names. */
export function greatest(syncs: readonly Item['sync'][]): [by: string, sequence: number][] {
  const found = new Map<string, number>();
  for (const { by = '', sequence } of syncs.flatMap((sync) => sync.history))
    found.set(by, Math.max(sequence, found.get(by) ?? 0));
  return [...found].sort(([a], [b]) => compareCodePoints(a, b));
}
