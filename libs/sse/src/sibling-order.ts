import { compareCodePoints } from '#feedsync';
import type { Placed } from './position.ts';

/**
 * The order of two items below one parent (3.2): by key, those at the same location by id, both by code point. Items that have no key
 * yet come first. Answers a negative number where `a` comes first, a positive one where `b` does.
 */
export function compareSiblings(a: Placed, b: Placed): number {
  return compareCodePoints(a.position.key ?? '', b.position.key ?? '') || compareCodePoints(a.id, b.id);
}
