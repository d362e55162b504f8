import { inSlices } from '#core';
import { keysBeside, sortedSiblings } from '#sse';
import type { CollectionKey, ItemId, Placed, Store } from '#core';

/** The siblings that an item stands between; absent at either end. */
export interface Neighbours {
  readonly before?: Placed | undefined;
  readonly after?: Placed | undefined;
}

/** The live items with a key below a parent, without one of them: those that its place is counted among. */
export interface SiblingsOf {
  readonly collection: CollectionKey;
  /** Empty for the root. */
  readonly parent: string;
  /** Absent: none is left out. */
  readonly id?: ItemId | undefined;
}

type Items = Pick<Store['items'], 'placesBelow' | 'countPlacesBelow'>;

/**
 * The neighbours of an item at an index among its siblings (SSE 3.2), the last one's above their number or
 * without one. Reads them, and those beside which they have no order by key and id alone; no other sibling.
 */
export async function neighboursAt(
  items: Items,
  { collection, parent, id }: SiblingsOf,
  index: number | undefined,
): Promise<Neighbours> {
  const read = (range: Parameters<Items['placesBelow']>[2]): Promise<Placed[]> =>
    items.placesBelow(collection, parent, { ...range, ...(id !== undefined && { except: id }) });
  if (index !== undefined) {
    const skip = Math.max(index - 1, 0);
    const [first, second] = await read({ skip, limit: index === 0 ? 1 : 2 });
    if (first !== undefined) {
      const beside = await read({ from: keysOf(first).from, before: keysOf(second ?? first).before });
      const start = beside.findIndex((sibling) => sibling.id === first.id);
      // Another edit has changed them in between: as they were.
      const siblings = start < 0 ? [first, ...(second ? [second] : [])] : await inOrder(beside);
      const at = Math.max(start, 0) + (index === 0 ? 0 : 1);
      return { before: siblings[at - 1], after: siblings[at] };
    }
  }
  const [last] = await read({ isReversed: true, limit: 1 });
  // Of the items at one location those whose keys go on come last in the index.
  if (last === undefined || keysOf(last).from === last.position.key) return { before: last };
  return { before: (await inOrder(await read(keysOf(last)))).at(-1) ?? last };
}

/**
 * The index of a live item with a key among its siblings. Reads those beside which it has no order by key and
 * id alone, and counts the others by the index of the store.
 * @returns undefined if it is no longer there
 */
export async function indexAmongSiblings(
  items: Items,
  { collection, parent, id }: SiblingsOf,
  key: string,
): Promise<number | undefined> {
  const { from, before } = keysBeside(key);
  const [preceding, beside] = await Promise.all([
    items.countPlacesBelow(collection, parent, { before: from }),
    items.placesBelow(collection, parent, { from, before }),
  ]);
  const place = (await inOrder(beside)).findIndex((sibling) => sibling.id === id);
  return place < 0 ? undefined : preceding + place;
}

/** Siblings in their order. */
export function inOrder(siblings: readonly Placed[]): Promise<Placed[]> {
  return inSlices(sortedSiblings(siblings));
}

function keysOf({ position: { key = '' } }: Placed): ReturnType<typeof keysBeside> {
  return keysBeside(key);
}
