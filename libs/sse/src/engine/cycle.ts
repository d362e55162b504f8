import { compareCodePoints } from '#core';
import type { Placed, Steps } from '#core';

/** An item that stands in another one. */
interface Inner {
  readonly id: string;
  readonly parent: string;
  /** On which way up it was met; 0: on none yet. */
  way: number;
}

/**
 * The items to bring to the root so that no item is above itself (4.4.2). The specification takes the items
 * in ascending order of id and reparents whichever meets itself on the way up: of every cycle that is the
 * item with the lowest id. Each item is walked over once.
 */
export function* cycleBreakers(items: readonly Placed[]): Steps<Set<string>> {
  const inners = new Map<string, Inner>();
  for (const { id, position } of items) {
    if (position.parent !== undefined) inners.set(id, { id, parent: position.parent, way: 0 });
    yield;
  }
  const breakers = new Set<string>();
  let way = 0;
  for (const start of inners.values()) {
    way += 1;
    let here: Inner | undefined = start;
    while (here?.way === 0) {
      here.way = way;
      here = inners.get(here.parent);
      yield;
    }
    // Met before, on this very way.
    if (here?.way === way) breakers.add(yield* lowestFrom(here, inners));
  }
  return breakers;
}

/** The lowest id of the cycle that `start` is in. */
function* lowestFrom(start: Inner, inners: ReadonlyMap<string, Inner>): Steps<string> {
  let lowest = start.id;
  for (let inner = inners.get(start.parent); inner !== undefined && inner !== start;) {
    if (compareCodePoints(inner.id, lowest) < 0) lowest = inner.id;
    inner = inners.get(inner.parent);
    yield;
  }
  return lowest;
}
