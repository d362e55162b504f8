import { compareCodePoints, sorted } from '#core';
import type { Placed, Steps } from '#core';

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
  if (!isNested(a) && !isNested(b)) return compareCodePoints(one, other);
  return compareCodePoints(wholeKey(a), wholeKey(b));
}

/**
 * The items below one parent in their order (`compareSiblings`). The steps of a key are read once for each
 * item, however often it is compared.
 */
export function* sortedSiblings<P extends Placed>(siblings: readonly P[]): Steps<P[]> {
  const keys = new Map<P, string>();
  for (const sibling of siblings) {
    if (isNested(sibling)) keys.set(sibling, wholeKey(sibling));
    yield;
  }
  if (keys.size === 0) return yield* sorted(siblings, compareSiblings);
  for (const sibling of siblings) {
    if (!keys.has(sibling)) keys.set(sibling, wholeKey(sibling));
    yield;
  }
  return yield* sorted(siblings, (a, b) => compareCodePoints(keys.get(a) ?? '', keys.get(b) ?? ''));
}

/** Whether an item's key has more than one step. */
function isNested({ position: { key = '' } }: Placed): boolean {
  return key.includes(stepSeparator);
}

/** What siblings are in the order of, by code point, whatever their keys are. */
function wholeKey(sibling: Placed): string {
  return stepsOf(sibling).join(stepSeparator);
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
