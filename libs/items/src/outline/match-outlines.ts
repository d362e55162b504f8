import type { OutlineNode, Payload } from '#xml';
import { itemId } from '#core';
import { everyOutline } from './live-outline.ts';
import type { LiveOutline } from './live-outline.ts';

/** Which live item each outline of a document is; outlines that are new are left out. */
export type OutlineMatches = ReadonlyMap<OutlineNode, LiveOutline>;

/**
 * Finds the items that a document's outlines are: by id, then by an `xmlUrl` that one outline and one item
 * have, then from the top down, below the same parent, by equal `text` or `title`, in order. A folder that
 * was moved is found by a `text` that no other has.
 */
export function matchOutlines(nodes: readonly OutlineNode[], live: readonly LiveOutline[]): OutlineMatches {
  const matches = new Map<OutlineNode, LiveOutline>();
  const taken = new Set<LiveOutline>();
  const match = (node: OutlineNode, item: LiveOutline | undefined): void => {
    if (item === undefined || taken.has(item) || matches.has(node)) return;
    matches.set(node, item);
    taken.add(item);
  };
  const allNodes = everyOutline(nodes);
  const allLive = everyOutline(live);
  const matchUnique = (textOf: (node: OutlineNode) => string | undefined): void => {
    const items = byUniqueText(
      allLive.filter((item) => !taken.has(item)),
      textOf,
    );
    for (const [text, node] of byUniqueText(
      allNodes.filter((other) => !matches.has(other)),
      textOf,
    ))
      match(node, items.get(text));
  };
  const matchSiblings = (siblings: readonly OutlineNode[], items: readonly LiveOutline[]): void => {
    const left = byLabel(items.filter((item) => !taken.has(item)));
    for (const node of siblings) if (!matches.has(node)) match(node, left.get(labelOf(node))?.pop());
  };
  const matchDown = (): void => {
    matchSiblings(nodes, live);
    for (const node of allNodes) matchSiblings(node.children, matches.get(node)?.children ?? []);
  };
  const byId = new Map(allLive.map((item) => [item.id, item]));
  for (const node of allNodes) if (node.id !== undefined) match(node, byId.get(itemId(node.id)));
  matchUnique(addressOf);
  matchDown();
  matchUnique((node) => (addressOf(node) === undefined ? labelOf(node) : undefined));
  matchDown();
  return matches;
}

/** The outlines of which no other has the same text; those that have none are left out. */
function byUniqueText<Node extends OutlineNode>(
  nodes: readonly Node[],
  textOf: (node: Node) => string | undefined,
): Map<string, Node> {
  const unique = new Map<string, Node>();
  const met = new Set<string>();
  for (const node of nodes) {
    const text = textOf(node);
    if (text === undefined) continue;
    if (met.has(text)) unique.delete(text);
    else unique.set(text, node);
    met.add(text);
  }
  return unique;
}

/** The items with each label, the first one last, so that it is the next to be taken. */
function byLabel(items: readonly LiveOutline[]): Map<string, LiveOutline[]> {
  const found = new Map<string, LiveOutline[]>();
  for (const item of items.toReversed()) {
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
