import type { Placed } from '#core';
import { placeItems } from './place-items.ts';
import { compareSiblings } from './sibling-order.ts';

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
  const assigned = placeItems(items);
  const here = items.map((item) => ({
    id: item.id,
    position: assigned.get(item.id)?.position ?? item.position,
    branch: { item, children: new Array<Branch<P>>() },
  }));
  const branches = new Map(here.map(({ id, branch }) => [id as string, branch]));
  const root: Branch<P>[] = [];
  for (const { position, branch } of here.sort(compareSiblings)) {
    const parent = position.parent === undefined ? undefined : branches.get(position.parent);
    (parent?.children ?? root).push(branch);
  }
  return root;
}
