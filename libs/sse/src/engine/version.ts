import { compareCodePoints } from '#core';
import type { Item } from './item.ts';

/** The greatest `version` (2.3): the text sets no limit, numbers are exact up to 2^53-1. */
export const maximumVersion = Number.MAX_SAFE_INTEGER;

/**
 * Reads a value of `version` (2.3, 5.2): decimal digits for 1 to 2^53-1 and nothing else; undefined for any
 * other text.
 */
export function parseVersion(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined;
  const version = Number(text);
  return version <= maximumVersion ? version : undefined;
}

/** The keys that tell the modifications of one item apart (4.4, step 1). A conflict has them as they are. */
export interface Stamp {
  readonly version: number;
  readonly when?: string;
  readonly by?: string;
}

/**
 * The stamp of an item's latest modification. Throws RangeError if the history is empty, which 2.4
 * forbids.
 */
export function stampOf({ sync }: Item): Stamp {
  const [latest] = sync.history;
  if (latest === undefined) throw new RangeError(`the item ${sync.id} has no history; SSE 2.4 asks for one`);
  return { version: sync.version, when: latest.when, by: latest.by };
}

/**
 * Sorts versions of one item, the winner first (4.4, step 1): by version, then `when`, then `by`; what is
 * present wins over what is absent. Returns 0 if the items are identical (4.4, step 2).
 */
export function compareVersions(a: Item, b: Item): number {
  return compareStamps(stampOf(a), stampOf(b));
}

/** `compareVersions` by the stamps. */
export function compareStamps(a: Stamp, b: Stamp): number {
  if (a.version !== b.version) return b.version - a.version;
  return comparePresent(b.when, a.when) || comparePresent(b.by && normalized(b.by), a.by && normalized(a.by));
}

/** The form in which values of `by` are compared (4.4, step 1.3): an absent one is the empty text (2.4). */
export function normalized(by = ''): string {
  return by.normalize('NFC');
}

/**
 * An absent value sorts before every present one. Texts of RFC 3339 in UTC sort by code point in the order of
 * time.
 */
function comparePresent(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareCodePoints(a, b);
}
