import type { OutlineNode, Payload } from '#xml';
import { itemId } from '#core';
import type { Steps } from '#core';
import { everyOutline } from './live-outline.ts';
import type { LiveOutline } from './live-outline.ts';

/** Which live item each outline of a document is; outlines that are new are left out. */
export type OutlineMatches = ReadonlyMap<OutlineNode, LiveOutline>;

/**
 * Finds the items that a document's outlines are: by id, then by an `xmlUrl` that one outline and one item
 * have, then from the top down, below the same parent, by equal `text` or `title`, in order. A folder that
 * was moved is found by a `text` that no other has.
 */
export function* matchOutlines(
  nodes: readonly OutlineNode[],
  live: readonly LiveOutline[],
): Steps<OutlineMatches> {
  const matches = new Map<OutlineNode, LiveOutline>();
  const taken = new Set<LiveOutline>();
  const match = (node: OutlineNode, item: LiveOutline | undefined): void => {
    if (item === undefined || taken.has(item) || matches.has(node)) return;
    matches.set(node, item);
    taken.add(item);
  };
  const allNodes = yield* everyOutline(nodes);
  const allLive = yield* everyOutline(live);
  const matchUnique = function* (textOf: (node: OutlineNode) => string | undefined): Steps<void> {
    const items = yield* byUniqueText(allLive, (item) => (taken.has(item) ? undefined : textOf(item)));
    const unique = yield* byUniqueText(allNodes, (node) => (matches.has(node) ? undefined : textOf(node)));
    for (const [text, node] of unique) {
      match(node, items.get(text));
      yield;
    }
  };
  const matchSiblings = function* (
    siblings: readonly OutlineNode[],
    items: readonly LiveOutline[],
  ): Steps<void> {
    if (items.length === 0) return;
    const left = yield* byLabel(items, taken);
    for (const node of siblings) {
      if (!matches.has(node)) match(node, left.get(labelOf(node))?.pop());
      yield;
    }
  };
  const matchDown = function* (): Steps<void> {
    yield* matchSiblings(nodes, live);
    for (const node of allNodes) {
      yield;
      yield* matchSiblings(node.children, matches.get(node)?.children ?? []);
    }
  };
  const byId = new Map<string, LiveOutline>();
  for (const item of allLive) {
    byId.set(item.id, item);
    yield;
  }
  for (const node of allNodes) {
    if (node.id !== undefined) match(node, byId.get(itemId(node.id)));
    yield;
  }
  yield* matchUnique(addressOf);
  yield* matchDown();
  yield* matchUnique((node) => (addressOf(node) === undefined ? labelOf(node) : undefined));
  yield* matchDown();
  return matches;
}

/** The outlines of which no other has the same text; those that have none are left out. */
function* byUniqueText<Node extends OutlineNode>(
  nodes: readonly Node[],
  textOf: (node: Node) => string | undefined,
): Steps<Map<string, Node>> {
  const unique = new Map<string, Node>();
  const met = new Set<string>();
  for (const node of nodes) {
    yield;
    const text = textOf(node);
    if (text === undefined) continue;
    if (met.has(text)) unique.delete(text);
    else unique.set(text, node);
    met.add(text);
  }
  return unique;
}

/** The items with each label that are not taken, the first one last, so that it is the next to be taken. */
function* byLabel(
  items: readonly LiveOutline[],
  taken: ReadonlySet<LiveOutline>,
): Steps<Map<string, LiveOutline[]>> {
  const found = new Map<string, LiveOutline[]>();
  for (const item of items.toReversed()) {
    yield;
    if (taken.has(item)) continue;
    const label = labelOf(item);
    const same = found.get(label);
    if (same === undefined) found.set(label, [item]);
    else same.push(item);
  }
  return found;
}

function labelOf({ payload }: OutlineNode): string {
  return attributeOf(payload, 'text') ?? attributeOf(payload, 'title') ?? '';
}

function addressOf({ payload }: OutlineNode): string | undefined {
  return attributeOf(payload, 'xmlUrl');
}

function attributeOf({ attributes = [] }: Payload, name: string): string | undefined {
  return attributes.find((attribute) => attribute.namespace === '' && attribute.name === name)?.value;
}
