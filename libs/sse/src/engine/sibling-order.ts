import { compareCodePoints } from '#core';
import type { Placed } from '#core';

/**
 * Between the steps of a key. It comes before every digit and letter, so what is nested in a step comes
 * before what follows it.
 */
export const stepSeparator = '-';

const encoder = new TextEncoder();

/**
 * The order of two items below one parent (3.2): by key, those at the same location by id, both by code
 * point. Items that have no key yet come first. Returns a negative number if `a` comes first, a positive one
 * if `b` does.
 */
export function compareSiblings(a: Placed, b: Placed): number {
  const [one, other] = [a.position.key ?? '', b.position.key ?? ''];
  if (one === other) return compareCodePoints(a.id, b.id);
  if (!one.includes(stepSeparator) && !other.includes(stepSeparator)) return compareCodePoints(one, other);
  return compareCodePoints(stepsOf(a).join(stepSeparator), stepsOf(b).join(stepSeparator));
}

/**
 * The keys, by code point from one to before another, of the items at the outermost location of a key. Among
 * them an item may come before another one with a lower key; items at two such locations are in the order of
 * their keys.
 */
export function keysBeside(key: string): { readonly from: string; readonly before: string } {
  const [location = ''] = key.split(stepSeparator, 1);
  // '.' is the character after '-'.
  return { from: location, before: `${location}.` };
}

/**
 * What decides an item's place among its siblings, outermost first: the steps of its key, then its own id.
 * Fractions and ids alternate.
 */
export function stepsOf({ id, position: { key = '' } }: Placed): string[] {
  return [...key.split(stepSeparator), idStep(id)];
}

/** An id as a step: its UTF-8 in hexadecimal, which sorts like its code points. */
function idStep(id: string): string {
  return Array.from(encoder.encode(id), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
