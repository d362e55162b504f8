import type { SaxesTagNS } from 'saxes';
import type { ElementTag } from './element-tag.ts';
import { atomNamespace } from './namespace.ts';
import type { Format, Scope } from './payload.ts';
import { maximumVersionAttributes } from './attribute-count.ts';
import { scopeInside } from './scope.ts';
import { finish } from './steps.ts';
import type { Steps } from './steps.ts';
import { defaultXmlLimits, StrictParser } from './strict-parser.ts';
import type { XmlLimits } from './strict-parser.ts';

const emptyTag: ElementTag = {
  attributes: Object.create(null) as SaxesTagNS['attributes'],
  ns: Object.create(null) as SaxesTagNS['ns'],
};

/** What keeps a tree from using up the machine; the defaults if absent. */
export interface TreeLimits extends Partial<XmlLimits> {
  /** How many elements it may have, without those in elements that are not looked into (default 40,000). */
  readonly elements?: number;
  /**
   * How deep elements may nest in one version of an item, its own element being 1 (as deep as `depth` if
   * absent).
   */
  readonly versionDepth?: number;
  /**
   * How many attributes an element in an item may have, without those that publishing may add (as many as
   * `attributes` says if absent).
   */
  readonly versionAttributes?: number;
}

/**
 * What one version of an item may be, so that each of our feeds can hold it within the limits of whoever
 * reads it: in RSS a version in conflict stands six elements deep, and an element may have to declare what it
 * inherited.
 */
export const versionLimits: TreeLimits = { versionAttributes: maximumVersionAttributes, versionDepth: 56 };

const defaultElements = 40_000;
/** How many children an item, or a version of it, may have: each is looked at several times. */
const mostChildren = 8192;

/** What to say of an item with more than it may have; undefined of one with fewer. */
export function tooManyChildren({ length }: readonly unknown[]): string | undefined {
  return length > mostChildren
    ? `An item has more than ${mostChildren} elements as its children (limit "children").`
    : undefined;
}

/** An element of an item, and where its raw slice stands in the text of the tree. */
export interface XmlElement {
  readonly namespace: string;
  /** Local name. */
  readonly name: string;
  readonly tag: ElementTag;
  readonly parent?: XmlElement;
  readonly children: XmlElement[];
  readonly start: number;
  /** After its last character. */
  end: number;
}

/** How far a tree goes. */
export interface TreeReach {
  /**
   * Called for each element that is met, in document order: whether to read its children. May call `fail` of
   * the parser. Those of the root alone if absent.
   */
  readonly isOpened?: (element: XmlElement, parser: StrictParser) => boolean;
  /** Whether an element is a version of an item, which `versionDepth` is for; the root alone if absent. */
  readonly isVersion?: (element: XmlElement) => boolean;
}

/**
 * Reads the elements of a text that are within reach; the rest is only checked. The text must have line feeds
 * for line ends. Throws `FeedError`, also of rule `limit-elements`.
 */
export function readTree(text: string, reach?: TreeReach, limits?: TreeLimits): XmlElement {
  return finish(treeSteps(text, reach, limits));
}

/** How much of a text one step reads, in UTF-16 code units. */
const pieceLength = 16_384;

/** Whether an element is an item of Atom or RSS; an outline holds others without a limit. */
function isFeedItem(element: XmlElement): boolean {
  const format = itemFormat(element);
  return format !== undefined && format !== 'opml';
}

/** Does what `readTree` does, in steps. */
export function* treeSteps(
  text: string,
  { isOpened = isRoot, isVersion = isRoot }: TreeReach = {},
  {
    elements = defaultElements,
    versionDepth = Infinity,
    versionAttributes = Infinity,
    ...limits
  }: TreeLimits = {},
): Steps<XmlElement> {
  let root: XmlElement | undefined;
  let current: XmlElement | undefined;
  let start = 0;
  let count = 0;
  /** The depth of the element that is not looked into; 0 if there is none. */
  let closedDepth = 0;
  /** At which depths the versions stand that are being read. */
  const versions: number[] = [];
  const parser = new StrictParser(
    {
      start(_depth, _name, offset) {
        if (closedDepth === 0) start = offset;
      },
      open(tag, depth) {
        if (depth - (versions.at(-1) ?? 1) >= versionDepth)
          parser.fail(
            'limit-item-depth',
            'limits',
            `Elements of an item nest deeper than ${versionDepth} (limit "itemDepth").`,
          );
        if (depth > 1 && parser.attributes > versionAttributes && ownAttributes(tag) > versionAttributes)
          parser.fail(
            'limit-attributes',
            'limits',
            `An element of an item has more than ${versionAttributes} attributes (limit "attributes").`,
          );
        if (closedDepth > 0) return;
        count += 1;
        if (count > elements)
          parser.fail(
            'limit-elements',
            'limits',
            `An item has more than ${elements} elements (limit "elements").`,
          );
        const element: XmlElement = {
          namespace: tag.uri,
          name: tag.local,
          tag: parser.attributes === 0 ? emptyTag : { attributes: tag.attributes, ns: tag.ns },
          parent: current,
          children: [],
          start,
          end: start,
        };
        current?.children.push(element);
        const fault = current && tooManyChildren(current.children);
        if (current && fault !== undefined && isFeedItem(current))
          parser.fail('limit-elements', 'limits', fault);
        root ??= element;
        current = element;
        if (isVersion(element)) versions.push(depth);
        if (!isOpened(element, parser)) closedDepth = depth;
      },
      close(_tag, depth) {
        if (current === undefined || (closedDepth > 0 && depth > closedDepth)) return;
        if (versions.at(-1) === depth) versions.pop();
        closedDepth = 0;
        current.end = parser.offset;
        current = current.parent;
      },
    },
    { ...defaultXmlLimits, ...limits },
  );
  for (let at = 0; at < text.length;) {
    const end = at + pieceLength;
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    parser.write(text.slice(at, next));
    at = next;
    yield;
  }
  parser.close();
  return root ?? parser.fail('xml-well-formed', 'XML 1.0', 'There is no element.');
}

/** What an element of an item is given where it is written, unless it has that already. */
const inheritedAttributes: ReadonlySet<string> = new Set([
  'xml:base',
  'xml:lang',
  'xmlns',
  'xmlns:sx',
  'xmlns:atom',
  'xmlns:fm',
]);

function ownAttributes({ attributes }: SaxesTagNS): number {
  let count = 0;
  for (const name in attributes) if (!inheritedAttributes.has(name)) count += 1;
  return count;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Whether an element is the document's own. */
function isRoot({ parent }: XmlElement): boolean {
  return parent === undefined;
}

/**
 * Returns the format that an element is an item of, if it is one. Some RSS feeds have a namespace of their
 * own, and their items with them.
 */
export function itemFormat({ name, namespace }: XmlElement): Format | undefined {
  if (name === 'entry' && namespace === atomNamespace) return 'atom';
  if (name === 'item') return 'rss';
  return name === 'outline' ? 'opml' : undefined;
}

const scopes = new WeakMap<XmlElement, Scope>();

/** The scope in force inside an element. */
export function scopeOf(element: XmlElement): Scope {
  const known = scopes.get(element);
  if (known !== undefined) return known;
  const scope = scopeInside(
    element.parent === undefined ? { namespaces: [] } : scopeOf(element.parent),
    element.tag,
  );
  scopes.set(element, scope);
  return scope;
}

/** The attributes of an element without its namespace declarations. */
export function attributesOf(element: XmlElement): { namespace: string; name: string; value: string }[] {
  if (element.tag === emptyTag) return [];
  const found: { namespace: string; name: string; value: string }[] = [];
  // A record without a prototype.
  for (const key in element.tag.attributes) {
    const attribute = element.tag.attributes[key];
    if (attribute === undefined || key === 'xmlns' || attribute.prefix === 'xmlns') continue;
    found.push({ namespace: attribute.uri, name: attribute.local, value: attribute.value });
  }
  return found;
}

/** Returns what tells the `sync` elements of some namespaces from other children of an item. */
export function isSyncOf(namespaces: readonly string[]): (child: XmlElement) => boolean {
  return ({ name, namespace }) => name === 'sync' && namespaces.includes(namespace);
}
