import { arrangingSteps } from '#sse';
import type { Branch } from '#sse';
import type { Placed, Steps } from '#core';

/** An item in the order of a document, and how many others it stands in there. */
export interface Row<Item> {
  readonly item: Item;
  readonly depth: number;
}

/**
 * The items with a place in the order in which a document shows them: each before what is in it.
 * @param isShown what of them; what stands in an item that is not shown stands in its place
 */
export function* inDocumentOrder<Item extends Placed>(
  items: readonly Item[],
  isShown: (item: Item) => boolean = () => true,
): Steps<Row<Item>[]> {
  const rows: Row<Item>[] = [];
  const waiting: { readonly branch: Branch<Item>; readonly depth: number }[] = [];
  const wait = (branches: readonly Branch<Item>[], depth: number): void => {
    for (const branch of branches.toReversed()) waiting.push({ branch, depth });
  };
  wait(yield* arrangingSteps(items), 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const {
      branch: { item, children },
      depth,
    } = next;
    if (isShown(item)) rows.push({ item, depth });
    wait(children, isShown(item) ? depth + 1 : depth);
    yield;
  }
  return rows;
}

/** The rows of wanted items, and those that these stand in, so that the nesting stays right. */
export function withAncestors<Item>(
  rows: readonly Row<Item>[],
  isWanted: (item: Item) => boolean,
): Row<Item>[] {
  const kept: Row<Item>[] = [];
  // Backwards: what stands before a kept row and is less deep is what that stands in.
  let lastDepth = 0;
  for (const row of rows.toReversed()) {
    if (!isWanted(row.item) && row.depth >= lastDepth) continue;
    lastDepth = row.depth;
    kept.push(row);
  }
  return kept.reverse();
}
