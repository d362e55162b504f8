import { FeedError } from '../feed-error.ts';
import { containers, outlineDocuments, readRoot } from '../feed-root.ts';
import { positionAt } from '../fragment.ts';
import { ItemLength } from '../item-length.ts';
import type { Payload } from '../payload.ts';
import { payloadOf, readText } from '../payload-reading.ts';
import { defaultScanLimits } from '../scan-limits.ts';
import type { ScanLimits } from '../scan-limits.ts';
import { textOf } from '../text-content.ts';
import { isSyncOf, treeSteps } from '../tree.ts';
import type { XmlElement } from '../tree.ts';
import { neededScope } from '../needed-scope.ts';
import type { OutlineDocument, OutlineNode } from './outline-document.ts';
import type { Steps } from '../steps.ts';

type OutlineLimits = Pick<ScanLimits, 'outlineDepth' | 'attributes' | 'items'>;

/**
 * Reads OPML 1.0, 1.1 or 2.0, plain or synchronised, as a tree, in steps. A tombstone is left out, and the
 * outlines in it take its place. Throws `FeedError` if the document is not well-formed, is no OPML with one
 * body, or passes a limit.
 * @param options `synchronisation`: the namespaces whose `sync` elements say what an outline's id is, and
 *   whether it is deleted; besides the limits, the defaults if absent
 */
export function* readOutlineDocument(
  xml: string,
  {
    synchronisation = [],
    ...limits
  }: Partial<OutlineLimits> & { readonly synchronisation?: readonly string[] } = {},
): Steps<OutlineDocument> {
  const text = readText(xml);
  const root = yield* readOutlines(text, { ...defaultScanLimits, ...limits });
  const title = childrenOf(root, 'head').flatMap((head) => childrenOf(head, 'title'))[0];
  return {
    ...(title !== undefined && { title: textOf(title, text) }),
    outlines: yield* nodesIn(childrenOf(root, 'body'), text, isSyncOf(synchronisation)),
  };
}

/**
 * The children of a name that OPML defines: they are in the namespace of its own elements, which mostly is
 * none.
 */
function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name && child.namespace === element.namespace);
}

/** The outlines in some elements as nodes; those in a tombstone stand in its place. */
function* nodesIn(
  elements: readonly XmlElement[],
  text: string,
  isSync: (child: XmlElement) => boolean,
): Steps<OutlineNode[]> {
  const nodes: OutlineNode[] = [];
  const open: { readonly outline: XmlElement; readonly siblings: OutlineNode[] }[] = [];
  const wait = (element: XmlElement, siblings: OutlineNode[]): void => {
    for (const outline of childrenOf(element, 'outline').reverse()) open.push({ outline, siblings });
  };
  for (const element of elements.toReversed()) wait(element, nodes);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { outline, siblings } = next;
    const sync = outline.children.find(isSync)?.tag.attributes;
    if (sync?.['deleted']?.value === 'true') wait(outline, siblings);
    else {
      const children: OutlineNode[] = [];
      const id = sync?.['id']?.value;
      const payload = payloadIn(outline, text, isSync);
      siblings.push({ ...(id !== undefined && id !== '' && { id }), payload, children });
      wait(outline, children);
    }
    yield;
  }
  return nodes;
}

function payloadIn(outline: XmlElement, text: string, isSync: (child: XmlElement) => boolean): Payload {
  const payload = payloadOf(text, outline, 'opml', isSync, new ItemLength());
  return { ...payload, scope: neededScope(payload) };
}

/**
 * Reads a document into a tree that goes no deeper than the outlines, their children and those of the head.
 */
function* readOutlines(text: string, limits: OutlineLimits): Steps<XmlElement> {
  const { rule, section, sentence } = containers.opml;
  let count = 0;
  const root = yield* treeSteps(
    text,
    {
      isOpened(element, parser) {
        const { parent } = element;
        if (parent === undefined) {
          readRoot({ local: element.name, uri: element.namespace }, outlineDocuments, parser);
          parser.limitOutlineDepth(limits.outlineDepth);
        }
        if (element.name === 'outline') count += 1;
        if (count > limits.items)
          parser.fail(
            'limit-items',
            'limits',
            `The document has more than ${limits.items} outlines (limit "items").`,
          );
        if (!isLookedInto(element)) return false;
        if (
          element.name === 'body' &&
          parent !== undefined &&
          parent.parent === undefined &&
          childrenOf(parent, 'body').length > 1
        )
          parser.fail(rule, section, `${sentence}; this one has more.`);
        return true;
      },
    },
    { depth: limits.outlineDepth, attributes: limits.attributes, elements: Infinity },
  );
  if (childrenOf(root, 'body').length === 0)
    throw new FeedError({
      rule,
      section,
      message: `${sentence}; this one has none.`,
      ...positionAt(text, root.end - 1),
    });
  return root;
}

function isLookedInto({ parent, namespace, name }: XmlElement): boolean {
  if (parent === undefined) return true;
  if (parent.namespace !== namespace) return false;
  if (parent.parent === undefined) return name === 'head' || name === 'body';
  return name === 'outline' && parent.name !== 'head';
}
