import { finish } from '#core';
import type { ItemId, Placed, Position, Steps } from '#core';
import { cycleBreakers } from './cycle.ts';
import { groups } from './groups.ts';
import { placeSiblings } from './place-siblings.ts';
import { isWaiting } from './position.ts';

/** Where an item goes once everything that was fetched has been merged. */
interface AssignedPosition {
  readonly position: Position;
  /** That it stood in a cycle and goes to the root, which is a conflict (4.4.2). */
  readonly isReparented: boolean;
}

/**
 * What has to change so that a whole collection is in order: every cycle is broken by bringing its item with
 * the lowest id to the root (4.4.2), then every item that has yet to be placed is given a key (3.2). None of
 * it is a new version. An item whose parent is missing stays with it. The answer depends on the items alone,
 * not on their order, and a collection in order needs no change.
 * @param items all items of the collection, tombstones too
 * @returns the changed positions by id
 */
export function placeItems(items: readonly Placed[]): ReadonlyMap<ItemId, AssignedPosition> {
  return finish(placingSteps(items));
}

/** Does what `placeItems` does, in steps. */
export function* placingSteps(items: readonly Placed[]): Steps<ReadonlyMap<ItemId, AssignedPosition>> {
  const breakers = yield* cycleBreakers(items);
  const assigned = new Map<ItemId, AssignedPosition>();
  if (breakers.size === 0 && !items.some(isWaiting)) return assigned;
  const here: Placed[] = [];
  for (const item of items) {
    const { id, position } = item;
    yield;
    if (breakers.has(id)) {
      const place = belowRoot(position);
      assigned.set(id, { position: place, isReparented: true });
      here.push({ id, position: place });
    } else here.push(item);
  }
  for (const [parent, siblings] of yield* groups(here, ({ position }) => position.parent)) {
    yield;
    if (!siblings.some(isWaiting)) continue;
    for (const [id, key] of yield* placeSiblings(siblings)) {
      assigned.set(id, {
        position: { ...(parent !== undefined && { parent }), key },
        isReparented: breakers.has(id),
      });
      yield;
    }
  }
  return assigned;
}

function belowRoot({ parent: _parent, ...rest }: Position): Position {
  return rest;
}
