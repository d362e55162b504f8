import { keysBetween } from './keys-between.ts';
import { finish } from '#core';
import type { Placed } from '#core';

/**
 * The key that puts an item at its place among its siblings (3.2).
 * @param siblings in order, each with its key, without the item itself
 * @param index how many of them come before it; last if there are fewer
 */
export function placeAt(siblings: readonly Placed[], index: number): string {
  const at = Math.min(index, siblings.length);
  return finish(keysBetween(1, siblings[at - 1], siblings[at]))[0] ?? '';
}
