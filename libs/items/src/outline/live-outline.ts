import type { OutlineNode } from '#xml';
import { inSlices, pagesOf } from '#core';
import type { Collection, ItemId, Placed, Position, Steps, Store } from '#core';
import { arrangingSteps } from '#sse';

/** One live item of a collection with everything in it, in order, as it is stored. */
export interface LiveOutline extends OutlineNode {
  readonly id: ItemId;
  readonly revision: number;
  /** As stored, also if the item is shown elsewhere, because its parent is deleted or missing. */
  readonly position: Position;
  readonly children: readonly LiveOutline[];
}

/** An item to arrange, and whether it is a tombstone. */
interface StoredOutline extends Placed {
  readonly deleted: boolean;
  readonly live: Omit<LiveOutline, 'children'>;
}

/** How many items are read in one go. */
const pageLength = 500;

/**
 * The live items of a collection as a tree, in order. Where an item is deleted its live children stand in its
 * place.
 */
export async function liveOutlines(items: Store['items'], collection: Collection): Promise<LiveOutline[]> {
  const found: StoredOutline[] = [];
  const pages = pagesOf(
    (page) => items.list(collection.key, page),
    ({ id }) => id,
    pageLength,
  );
  for await (const page of pages)
    for (const { id, revision, deleted, position = {}, content } of page)
      found.push({ id, position, deleted, live: { id, revision, position, payload: content.data } });
  return inSlices(liveTree(found));
}

function* liveTree(found: readonly StoredOutline[]): Steps<LiveOutline[]> {
  const root: LiveOutline[] = [];
  const branches = yield* arrangingSteps(found);
  const open = branches.toReversed().map((branch) => ({ branch, siblings: root }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const {
      branch: { item, children },
      siblings,
    } = next;
    let below = siblings;
    if (!item.deleted) {
      below = [];
      siblings.push({ ...item.live, children: below });
    }
    for (const branch of children.toReversed()) open.push({ branch, siblings: below });
    yield;
  }
  return root;
}

/** Every outline of a tree, each before those in it. */
export function* everyOutline<Node extends { readonly children: readonly Node[] }>(
  outlines: readonly Node[],
): Steps<Node[]> {
  const all: Node[] = [];
  const open = outlines.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    all.push(node);
    for (const child of node.children.toReversed()) open.push(child);
    yield;
  }
  return all;
}
