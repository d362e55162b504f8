import { compareCodePoints } from '#core';
import type { Placed } from '#core';

/**
 * The items to bring to the root so that no item is above itself (4.4.2). The specification takes the items
 * in ascending order of id and reparents whichever meets itself on the way up: of every cycle that is the
 * item with the lowest id. Each item is walked over once.
 */
export function cycleBreakers(items: readonly Placed[]): Set<string> {
  const parents = new Map<string, string | undefined>(items.map(({ id, position }) => [id, position.parent]));
  const seen = new Set<string>();
  const breakers = new Set<string>();
  for (const { id } of items) {
    const way = new Set<string>();
    let here: string | undefined = id;
    while (here !== undefined && parents.has(here) && !seen.has(here)) {
      seen.add(here);
      way.add(here);
      here = parents.get(here);
    }
    if (here !== undefined && way.has(here)) breakers.add(lowestFrom(here, parents));
  }
  return breakers;
}

/** The lowest id of the cycle that `start` is in. */
function lowestFrom(start: string, parents: ReadonlyMap<string, string | undefined>): string {
  let lowest = start;
  for (let id = parents.get(start); id !== undefined && id !== start; id = parents.get(id))
    if (compareCodePoints(id, lowest) < 0) lowest = id;
  return lowest;
}
