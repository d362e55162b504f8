import { compareSiblings, keysBetween } from '#sse';
import type { Placed, Steps } from '#core';
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
export function* keysAlong<Element, Item extends Placed>(
  sequence: readonly Element[],
  standing: (element: Element) => Item | undefined,
  options: KeyOptions<Item> = {},
): Steps<Map<Element, string>> {
  const { after, compare = compareSiblings } = options;
  const placed: { readonly element: Element; readonly item: Item }[] = [];
  for (const element of sequence) {
    const item = standing(element);
    if (item !== undefined) placed.push({ element, item });
    yield;
  }
  const kept = new Map<Element, Item>();
  for (const { element, item } of yield* longestAscending(placed, (a, b) => compare(a.item, b.item))) {
    kept.set(element, item);
    yield;
  }
  const keys = new Map<Element, string>();
  let low: Placed | undefined = after;
  let run: Element[] = [];
  const fill = function* (high?: Placed): Steps<void> {
    const made = yield* keysBetween(run.length, low, high);
    for (const [index, element] of run.entries()) {
      keys.set(element, made[index] ?? '');
      yield;
    }
    run = [];
  };
  for (const element of sequence) {
    yield;
    const item = kept.get(element);
    if (item === undefined) run.push(element);
    else {
      if (run.length > 0) yield* fill(item);
      low = item;
    }
  }
  yield* fill();
  return keys;
}
