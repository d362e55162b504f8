import { elementsIn, readPlainElement } from '../plain/plain-element.ts';
import type { PlainElement } from '../plain/plain-element.ts';

/** An item of a document by what it says: names, attributes and text. */
export interface PlainItem {
  readonly id: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What stands in it beside `sx:sync` and other items. */
  readonly children: readonly (PlainElement | string)[];
  readonly sync: PlainElement;
  /** The items that stand in it, in order. */
  readonly below: readonly PlainItem[];
}

const sseNamespaces: ReadonlySet<string> = new Set([
  'https://www.microsoft.com/schemas/rss/sse',
  'http://www.microsoft.com/schemas/rss/sse',
]);
const ownAttribute = /^\{urn:feedmesh:position\}/;

/**
 * The items of a feed or an outline as they stand in it; what stands in an item without `sx:sync` stands in
 * its place. Throws if it is neither.
 */
export function plainItems(text: string): PlainItem[] {
  const root = readPlainElement(text);
  const [container] = elementsIn(root).filter(({ name }) => name === 'channel' || name === 'body');
  if (container === undefined) throw new Error(`A document of ${root.name} has neither channel nor body.`);
  return itemsIn(container);
}

/** The ids of items by how they stand in each other: `a(b c(d)) e`. */
export function plainTree(items: readonly PlainItem[]): string {
  return items.map(({ id, below }) => (below.length === 0 ? id : `${id}(${plainTree(below)})`)).join(' ');
}

function itemsIn(element: PlainElement): PlainItem[] {
  return elementsIn(element)
    .filter(isItem)
    .flatMap((item) => {
      const sync = syncOf(item);
      return sync === undefined ? itemsIn(item) : [{ ...plainItem(item, sync), below: itemsIn(item) }];
    });
}

function plainItem(item: PlainElement, sync: PlainElement): Omit<PlainItem, 'below'> {
  const children = item.children.filter((child) =>
    typeof child === 'string' ? child.trim() !== '' : !isItem(child) && !isOfSse(child),
  );
  return {
    id: sync.attributes.id ?? '',
    kind: item.name,
    attributes: item.attributes,
    children,
    sync: plainSync(sync),
  };
}

/** An element of SSE without blank text; dates as times, conflicts as a set. */
function plainSync({ name, attributes, children }: PlainElement): PlainElement {
  const inside = children
    .filter((child) => typeof child !== 'string' || child.trim() !== '')
    .map((child) => (typeof child === 'string' ? child.trim() : plainPart(child)));
  return {
    namespace: 'sx',
    name,
    attributes: plainAttributes(attributes),
    children: name === 'conflicts' ? inside.toSorted(byText) : inside,
  };
}

function plainPart(element: PlainElement): PlainElement {
  if (isOfSse(element)) return plainSync(element);
  const sync = isItem(element) ? syncOf(element) : undefined;
  if (sync === undefined) return element;
  // Whether the item was itself in conflict says nothing of what was lost, and depends on who has merged
  // first.
  const { conflict: _conflict, ...attributes } = sync.attributes;
  const lost = plainItem(element, { ...sync, attributes });
  return { ...element, children: [...lost.children, lost.sync] };
}

/** Those that say something, without our own. */
function plainAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const saying = Object.entries(attributes).filter(
    ([name, value]) =>
      !ownAttribute.test(name) &&
      value !== '' &&
      !((name === 'deleted' || name === 'conflict') && value === 'false'),
  );
  return Object.fromEntries(
    saying.map(([name, value]) => [name, name === 'when' ? new Date(value).toISOString() : value]),
  );
}

function syncOf(item: PlainElement): PlainElement | undefined {
  return elementsIn(item).find((child) => isOfSse(child) && child.name === 'sync');
}

function isItem({ namespace, name }: PlainElement): boolean {
  return namespace === '' && (name === 'item' || name === 'outline');
}

function isOfSse({ namespace }: PlainElement): boolean {
  return sseNamespaces.has(namespace);
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
