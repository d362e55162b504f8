import { compareCodePoints, itemId } from '#core';
import type { Placed } from '#core';

/**
 * Cycle detection word by word (4.4.2): slow, and only to hold the fast one against. The text does not say
 * how a walk ends that comes into a cycle without meeting its own item again: here it ends where it meets any
 * item again.
 * @returns the ids of the items that are reparented to the root
 */
export function literalCycleDetection(items: readonly Placed[]): Set<string> {
  const parents = new Map(items.map(({ id, position }) => [id, position.parent]));
  const reparented = new Set<string>();
  // Step 1: traverse all items, one at a time, in ascending order of id.
  for (const id of [...parents.keys()].sort(compareCodePoints)) {
    // Step 2: walk the ancestry up to the root to see if the same item is encountered again.
    const walked = new Set<string>();
    let ancestor = parents.get(id);
    while (ancestor !== undefined && ancestor !== id && !walked.has(ancestor)) {
      walked.add(ancestor);
      ancestor = parents.get(itemId(ancestor));
    }
    if (ancestor !== id) continue;
    // Step 2.1: reparent the item to the root. Step 2.2, the conflict attribute, is the caller's.
    parents.set(id, undefined);
    reparented.add(id);
  }
  return reparented;
}
