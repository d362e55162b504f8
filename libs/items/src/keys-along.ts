import { compareSiblings, keysBetween } from '#sse';
import type { Placed } from '#core';
import { longestAscending } from './longest-ascending.ts';

/** Where elements are to be placed. */
interface KeyOptions<Item> {
  /** The sibling that all of them come after; absent: any. */
  readonly after?: Placed;
  /**
   * The order of the items as they stand, if there is a faster way to tell it (default:
   * `compareSiblings`).
   */
  readonly compare?: (a: Item, b: Item) => number;
}

/**
 * The keys of the elements of a sequence that have to be placed (SSE 3.2). As many as can be keep the key
 * that they have: the longest run that is still in order; the others get keys between those.
 * @param standing the item that an element is, if it has a key below this very parent already
 */
export function keysAlong<Element, Item extends Placed>(
  sequence: readonly Element[],
  standing: (element: Element) => Item | undefined,
  options: KeyOptions<Item> = {},
): Map<Element, string> {
  const { after, compare = compareSiblings } = options;
  const placed = sequence.flatMap((element) => {
    const item = standing(element);
    return item === undefined ? [] : [{ element, item }];
  });
  const kept = new Map(
    longestAscending(placed, (a, b) => compare(a.item, b.item)).map(({ element, item }) => [element, item]),
  );
  const keys = new Map<Element, string>();
  let low: Placed | undefined = after;
  let run: Element[] = [];
  const fill = (high?: Placed): void => {
    const made = keysBetween(run.length, low, high);
    for (const [index, element] of run.entries()) keys.set(element, made[index] ?? '');
    run = [];
  };
  for (const element of sequence) {
    const item = kept.get(element);
    if (item === undefined) run.push(element);
    else {
      fill(item);
      low = item;
    }
  }
  fill();
  return keys;
}
