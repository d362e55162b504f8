import { itemId, nameOf } from '#core';
import type { Collection, ItemId, Store, StoredItem } from '#core';
import { compareSiblings, placeAt } from '#sse';
import { isHierarchical, isOrdered, InvalidEditError, ItemStateError } from '#protocol';
import type { Placed } from '#core';
import type { Position } from '#core';
import { closesCycle } from './ancestry.ts';
import { neighboursAt } from './neighbours.ts';
import type { Neighbours } from './neighbours.ts';
import type { ItemEdit, RequestedPlacement } from './requested-placement.ts';

/**
 * Decides where an edit puts its item (SSE 3.2).
 * @param stored the item as it is; undefined for a new one
 * @returns its new position; undefined if it stays where it is, and in a collection without an order
 * @throws InvalidEditError for a place that can't be, ItemStateError for one that can't be at this time
 */
export async function placementOf(
  items: Store['items'],
  collection: Collection,
  id: ItemId,
  { action, place }: ItemEdit,
  stored: StoredItem | undefined,
): Promise<Position | undefined> {
  if (place !== undefined) checkLinks(collection, action, place);
  const input = place ?? {};
  if (
    !isOrdered(collection) ||
    (stored !== undefined && input.parent === undefined && input.position === undefined)
  )
    return undefined;
  const parent = input.parent === undefined ? stored?.position?.parent : (input.parent ?? undefined);
  const isElsewhere = stored?.position === undefined || stored.position.parent !== parent;
  if (!isElsewhere && input.position === undefined) return undefined;
  if (parent !== undefined && isElsewhere) await checkParent(items, collection, id, parent);
  const siblings = { collection: collection.key, parent: parent ?? '', id };
  const { before, after } = await neighboursAt(items, siblings, input.position);
  const isThere = !isElsewhere && stored?.position?.key !== undefined;
  if (isThere && isBetween({ id, position: stored.position }, { before, after })) return undefined;
  const key = placeAt(
    [before, after].flatMap((sibling) => sibling ?? []),
    before === undefined ? 0 : 1,
  );
  return { ...(parent !== undefined && { parent }), key };
}

function checkLinks(
  collection: Collection,
  action: ItemEdit['action'],
  { parent, position }: RequestedPlacement,
): void {
  if (action === 'delete' || action === 'resolve')
    throw new InvalidEditError(`To ${action} an item gives it no place; update it to move it.`);
  if (!isOrdered(collection))
    throw new InvalidEditError(
      `The items of "${nameOf(collection.key)}" have no order, so an item has no place in it.`,
    );
  if (typeof parent === 'string' && !isHierarchical(collection))
    throw new InvalidEditError(
      `The items of "${nameOf(collection.key)}" don't stand in one another, so an item has no parent.`,
    );
  if (position !== undefined && !(Number.isSafeInteger(position) && position >= 0))
    throw new InvalidEditError(`A position is a whole number from 0; ${position} is none.`);
}

async function checkParent(
  items: Store['items'],
  collection: Collection,
  id: ItemId,
  parent: string,
): Promise<void> {
  if (parent === id) throw new InvalidEditError(`The item "${id}" can't stand in itself.`);
  const found = (await items.load(collection.key, [itemId(parent)])).get(itemId(parent));
  if (found === undefined)
    throw new InvalidEditError(
      `The collection "${nameOf(collection.key)}" has no item "${parent}" for a parent.`,
    );
  if (found.deleted) throw new ItemStateError(`The parent "${parent}" is deleted; undelete it first.`);
  if (await closesCycle(items, collection.key, id, parent))
    throw new ItemStateError(`The item "${parent}" stands below "${id}", so it can't become its parent.`);
}

function isBetween(item: Placed, { before, after }: Neighbours): boolean {
  return (
    (before === undefined || compareSiblings(before, item) < 0) &&
    (after === undefined || compareSiblings(item, after) < 0)
  );
}
