import { compareCodePoints } from '#core';
import type { Item } from './item.ts';
import type { Position } from '#core';

/**
 * Where an item stands of which two endpoints hold the same version in different places: as one has read it
 * from the order of a document, or because cycle detection (4.4.2) has moved it. A place with a key counts
 * more than one that has yet to be given its key, unless that one is the root and the item in conflict, as a
 * cycle leaves it. Then the parent that is smaller by code point counts, the root being the smallest, then
 * the smaller key. Returns the same position whichever item comes first, and `local.position` itself if
 * that counts; undefined if neither has one.
 */
export function joinPositions(local: Item, incoming: Item): Position | undefined {
  if (local.position === undefined || incoming.position === undefined)
    return local.position ?? incoming.position;
  const better =
    Number(isCertain(incoming)) - Number(isCertain(local)) ||
    comparePlaces(local.position, incoming.position);
  return better > 0 ? incoming.position : local.position;
}

/**
 * The position of an incoming version that replaces an earlier one. Where its document has shown its place
 * only, below the parent that it had here before, the key that it had here goes with it, for that may still
 * be right. Where it has shown none the place stays.
 */
export function followPosition(
  earlier: Position | undefined,
  incoming: Position | undefined,
): Position | undefined {
  if (incoming === undefined) return earlier;
  if (incoming.key !== undefined || earlier?.key === undefined || incoming.parent !== earlier.parent)
    return incoming;
  return { ...incoming, key: earlier.key };
}

function isCertain({ position, sync }: Item): boolean {
  return position !== undefined && (isPlaced(position) || (sync.conflict && position.parent === undefined));
}

function isPlaced({ key, after }: Position): boolean {
  return key !== undefined && after === undefined;
}

/** Negative if `a` counts more than `b`. */
function comparePlaces(a: Position, b: Position): number {
  return (
    compareCodePoints(a.parent ?? '', b.parent ?? '') ||
    Number(isPlaced(b)) - Number(isPlaced(a)) ||
    compareCodePoints(a.key ?? '', b.key ?? '') ||
    compareCodePoints(a.after ?? '', b.after ?? '') ||
    compareCodePoints(a.before ?? '', b.before ?? '')
  );
}
