import { finish } from '#core';
import type { Placed, Steps } from '#core';
import { placingSteps } from './place-items.ts';
import { sortedSiblings } from './sibling-order.ts';

/** An item and everything in it, in order. */
export interface Branch<P extends Placed = Placed> {
  readonly item: P;
  readonly children: readonly Branch<P>[];
}

/**
 * The items as a tree, in order (3.2), answering the branches below the root. Items that are not placed
 * stand where `placeItems` would put them; an item whose parent is missing stands below the root.
 */
export function arrange<P extends Placed>(items: readonly P[]): Branch<P>[] {
  return finish(arrangingSteps(items));
}

/** Does what `arrange` does, in steps. */
export function* arrangingSteps<P extends Placed>(items: readonly P[]): Steps<Branch<P>[]> {
  const assigned = yield* placingSteps(items);
  const branches = new Map<string, { readonly item: P; readonly children: Branch<P>[] }>();
  const here: Placed[] = [];
  for (const item of items) {
    const { id } = item;
    const moved = assigned.get(id);
    branches.set(id, { item, children: [] });
    here.push(moved === undefined ? item : { id, position: moved.position });
    yield;
  }
  const root: Branch<P>[] = [];
  for (const { id, position } of yield* sortedSiblings(here)) {
    const branch = branches.get(id);
    const parent = position.parent === undefined ? undefined : branches.get(position.parent);
    if (branch !== undefined) (parent?.children ?? root).push(branch);
    yield;
  }
  return root;
}
