import { cycleBreakers } from './cycle.ts';
import { groups } from './groups.ts';
import { placeSiblings } from './place-siblings.ts';
import { isWaiting } from './position.ts';
import type { ItemId, Placed } from '#core';
import type { Position } from '#core';

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
  const breakers = cycleBreakers(items);
  const assigned = new Map<ItemId, AssignedPosition>();
  const here = items.map(({ id, position }) => ({
    id,
    position: breakers.has(id) ? belowRoot(position) : position,
  }));
  for (const { id, position } of here)
    if (breakers.has(id)) assigned.set(id, { position, isReparented: true });
  for (const [parent, siblings] of groups(here, ({ position }) => position.parent)) {
    if (!siblings.some(isWaiting)) continue;
    for (const [id, key] of placeSiblings(siblings))
      assigned.set(id, {
        position: { ...(parent !== undefined && { parent }), key },
        isReparented: breakers.has(id),
      });
  }
  return assigned;
}

function belowRoot({ parent: _parent, ...rest }: Position): Position {
  return rest;
}
