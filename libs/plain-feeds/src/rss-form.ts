import { rssNames } from './element-names.ts';
import type { FeedForm } from './feed-form.ts';
import { elementsOf, textOf } from './markup-tree.ts';
import type { MarkupElement, MarkupNode } from './markup-tree.ts';
import type { Mending } from './mending.ts';
import { localName, prefixOf } from './namespaces.ts';
import { writeHtml } from './write-markup.ts';

const rdfNamespace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** What stands in RSS 1.0 and 0.90 between the root and the items, and means nothing outside of RDF. */
const rdfContainers: ReadonlySet<string> = new Set(['items', 'image', 'textinput']);

/** Elements of RSS that hold elements. */
const withElements: ReadonlySet<string> = new Set([
  'channel',
  'item',
  'image',
  'textinput',
  'skiphours',
  'skipdays',
]);

/** Namespaces in which RSS has been published; its elements have none in RSS 2.0. */
const rssNamespace = new RegExp(
  '^https?://(?:purl\\.org/(?:rss/1\\.0/|net/rss1\\.1#)|my\\.netscape\\.com/rdf/simple/0\\.9/|' +
    'backend\\.userland\\.com/.*)$',
  'i',
);

/**
 * An RSS feed of whatever version, RDF too, as RSS 2.0 has it: one channel that holds all of the items, names
 * in the letters of the specification and without a namespace, text where it has text. The `rdf:about` of an
 * item is its `guid`.
 */
export class RssForm implements FeedForm {
  readonly depth = 2;
  readonly #mending: Mending;
  readonly #own: ReadonlySet<string>;
  readonly #isRdf: boolean;

  /** @param root its start tag */
  constructor(root: MarkupElement, mending: Mending) {
    this.#mending = mending;
    this.#own = ownPrefixes(root);
    this.#isRdf = localName(root.name).toLowerCase() === 'rdf';
  }

  item(item: MarkupElement, around: readonly MarkupElement[]): MarkupElement | undefined {
    const names = around.map((element) => this.#element({ ...element, children: [] }).name);
    const isInChannel = names.at(-1) === 'channel' && names.length <= 2;
    if (!isInChannel && names.length > 1) return undefined;
    const written = this.#element(item);
    if (!isInChannel && written.name !== 'item') return undefined;
    if (!isInChannel && !this.#isRdf) this.#mending.add('structure');
    return written;
  }

  feed(root: MarkupElement): MarkupElement {
    const canonical = elementsOf(root).map((child) => this.#element(child));
    const rssRoot = this.#element(root);
    const channels =
      rssRoot.name === 'channel' ? [rssRoot] : canonical.filter(({ name }) => name === 'channel');
    const beside = rssRoot.name === 'channel' ? [] : canonical.filter(({ name }) => name === 'item');
    if (!this.#isRdf && (beside.length > 0 || channels.length !== 1 || rssRoot.name === 'channel'))
      this.#mending.add('structure');
    const parts = channels.flatMap(({ children }) => children);
    const isKept = (node: MarkupNode): boolean =>
      typeof node === 'string' || !this.#isRdf || !rdfContainers.has(node.name.toLowerCase());
    const declared = [...root.attributes].filter(
      ([name]) => name.startsWith('xmlns:') || name.startsWith('xml:'),
    );
    const inChannel = channels
      .flatMap((channel) => [...channel.attributes])
      .filter(([name]) => name.startsWith('xml'));
    const children = [...parts.filter(isKept), ...beside];
    return {
      name: 'rss',
      attributes: new Map([['version', '2.0'], ...declared]),
      children: [{ name: 'channel', attributes: new Map(inChannel), children }],
    };
  }

  #element(element: MarkupElement): MarkupElement {
    return rssElement(element, this.#own, this.#mending);
  }
}

/** The prefixes that RSS's own elements have in a feed. */
function ownPrefixes(root: MarkupElement): ReadonlySet<string> {
  const prefixes = new Set(['']);
  for (const [name, value] of root.attributes)
    if (name.startsWith('xmlns:') && rssNamespace.test(value)) prefixes.add(name.slice('xmlns:'.length));
  return prefixes;
}

function rssElement(element: MarkupElement, own: ReadonlySet<string>, mending: Mending): MarkupElement {
  if (!own.has(prefixOf(element.name)) || isForeign(element)) return element;
  const local = localName(element.name);
  const name = rssNames.get(local.toLowerCase()) ?? local;
  if (name !== local && local !== 'textinput') mending.add('structure');
  const about = [...element.attributes].find(
    ([attribute]) => localName(attribute) === 'about' && prefixOf(attribute) !== '',
  )?.[1];
  const attributes = new Map(
    [...element.attributes].filter(([attribute]) => attribute !== 'xmlns' && !/^rdf:/i.test(attribute)),
  );
  const inner = element.children.map((child) =>
    typeof child === 'string' ? child : rssElement(child, own, mending),
  );
  if (
    name === 'item' &&
    about !== undefined &&
    !inner.some((child) => typeof child !== 'string' && child.name === 'guid')
  )
    inner.push(...identityOf(about, inner));
  if (!rssNames.has(local.toLowerCase()) || withElements.has(local.toLowerCase()) || name === 'rss')
    return { name, attributes, children: inner };
  return { name, attributes, children: [plainText({ ...element, children: inner }, mending)] };
}

/** What the address of an item in RDF is in RSS 2.0: its `guid`, and its link if it has no other. */
function identityOf(about: string, inner: readonly MarkupNode[]): MarkupElement[] {
  const guid = { name: 'guid', attributes: new Map([['isPermaLink', 'false']]), children: [about] };
  const hasLink = inner.some((child) => typeof child !== 'string' && child.name === 'link');
  const isAddress = /^https?:/i.test(about);
  return hasLink || !isAddress ? [guid] : [guid, { name: 'link', attributes: new Map(), children: [about] }];
}

/** Whether an element has a default namespace of its own that is not one of RSS. */
function isForeign({ attributes }: MarkupElement): boolean {
  const namespace = attributes.get('xmlns');
  return (
    namespace !== undefined && namespace !== '' && !rssNamespace.test(namespace) && namespace !== rdfNamespace
  );
}

/** The text of an element, in which elements are HTML. */
function plainText(element: MarkupElement, mending: Mending): string {
  if (elementsOf(element).length === 0) return textOf(element);
  mending.add('markup');
  return writeHtml(element);
}
