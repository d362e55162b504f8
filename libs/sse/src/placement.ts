import { keysInOrder } from './key.ts';
import type { Placed } from './position.ts';

/** The key that puts an item at its place, and the new keys of siblings that must make room. */
interface Placement {
  readonly key: string;
  readonly moved: readonly { readonly id: string; readonly key: string }[];
}

/**
 * Places an item among its siblings (3.2). Siblings with the same key, put there by different endpoints, are in the order of their
 * ids; those of them that shall come after the item are moved.
 * @param siblings in order, without the item itself
 * @param index how many of them come before it; last where there are fewer
 */
export function placeAt(siblings: readonly Placed[], index: number): Placement {
  const before = siblings[Math.min(index, siblings.length) - 1]?.position.key;
  let end = index;
  while (end < siblings.length && (siblings[end]?.position.key ?? '') <= (before ?? '')) end += 1;
  const pushed = siblings.slice(index, end);
  const [key = '', ...keys] = keysInOrder(1 + pushed.length, before, siblings[end]?.position.key);
  return { key, moved: pushed.map(({ id }, at) => ({ id, key: keys[at] ?? '' })) };
}
