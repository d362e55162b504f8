import { isUrl } from './url.ts';
import { resolveBase } from './base.ts';
import { escapeAttribute, escapeText } from './escape.ts';
import { contentNamespace, formatNamespace } from './namespace.ts';
import type { Child, FeedFormat, Scope } from './payload.ts';
import { rawAttributes, writeDeclaration } from './start-tag.ts';
import { readContent } from './text-content.ts';
import { xhtmlDivision } from './xhtml-division.ts';

/**
 * An element that one format defines and that has a counterpart in the other, as far as the mapping looks at
 * it.
 */
export interface MappedElement {
  readonly format: FeedFormat;
  /** Local name. */
  readonly name: string;
  /** By name with prefix, without what says no more than its absence. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
  /** Whether elements stand in it, which no counterpart can have. */
  readonly hasElements?: boolean;
  /** What is inside the `div` of an Atom text of type `xhtml`, raw. */
  readonly markup?: string;
  /** The base in force for its references. */
  readonly base?: string;
}

const mappedNames: Readonly<Record<FeedFormat, readonly string[]>> = {
  atom: ['title', 'content', 'summary', 'link', 'category'],
  rss: ['title', 'description', 'link', 'enclosure', 'category'],
};
const textNames: readonly string[] = ['title', 'content', 'summary', 'description', 'encoded'];
const defaults: ReadonlyMap<string, string> = new Map([
  ['title type', 'text'],
  ['content type', 'text'],
  ['summary type', 'text'],
  ['link rel', 'alternate'],
]);

/** Whether a child is `content:encoded`, which an RSS item has its whole text in beside a description. */
export function isEncodedContent({ namespace, name }: Pick<Child, 'namespace' | 'name'>): boolean {
  return namespace === contentNamespace && name === 'encoded';
}

/** Reads a child of an item; undefined for one that has no counterpart in the other format. */
export function readMappedElement(child: Child, format: FeedFormat, scope: Scope): MappedElement | undefined {
  const { name, namespace } = child;
  const isDefined = namespace === formatNamespace(format) && mappedNames[format].includes(name);
  if (!isDefined && !(format === 'rss' && isEncodedContent(child))) return undefined;
  const { attributes: all, text, hasElements } = readContent(child.xml);
  const isText = textNames.includes(name);
  const base = resolveBase(scope.base, all.get('xml:base'));
  const attributes = new Map(
    [...all].filter(([attribute, value]) => {
      if (format === 'atom' && defaults.get(`${name} ${attribute}`) === value) return false;
      // What is no text has no language, and its reference is resolved if that is possible.
      if (attribute === 'xml:base') return isText || base === undefined || !isUrl(base);
      return isText || attribute !== 'xml:lang';
    }),
  );
  const markup = isText && attributes.get('type') === 'xhtml' ? readMarkup(child, scope) : undefined;
  return {
    format,
    name,
    attributes,
    text,
    hasElements,
    ...(markup !== undefined && { markup }),
    ...(base !== undefined && { base }),
  };
}

function readMarkup(child: Child, scope: Scope): string | undefined {
  const slice = xhtmlDivision(child.xml, scope)?.xml;
  if (slice === undefined) return undefined;
  const tagEnd = slice.indexOf('>', rawAttributes(slice).at(-1)?.valueEnd ?? 0);
  return slice[tagEnd - 1] === '/' ? '' : slice.slice(tagEnd + 1, slice.lastIndexOf('<'));
}

/**
 * Two elements without elements in them have equal keys if they have the same format, name, attributes and
 * text.
 */
export function meaningKey({ format, name, attributes, text }: MappedElement): string {
  const sorted = [...attributes].sort(([one], [other]) => (one < other ? -1 : 1));
  // JSON ends by itself; the text may have megabytes.
  return JSON.stringify([format, name, sorted]) + text;
}

/** Whether it is the link to the item itself: Atom's of relation `alternate`, RSS's only one. */
export function isItemLink({ format, name, attributes }: MappedElement): boolean {
  return name === 'link' && (format === 'rss' || !attributes.has('rel'));
}

/**
 * Writes an element that has no prefixes but `xml`, to stand where its format's namespace is the default one.
 */
export function writeMappedElement({ format, name, attributes, text }: MappedElement): Child {
  const written = [...attributes]
    .map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`)
    .join('');
  const isEncoded = format === 'rss' && name === 'encoded';
  const tag = isEncoded ? `content:${name}` : name;
  const start = `<${tag}${isEncoded ? writeDeclaration('content', contentNamespace) : ''}${written}`;
  return {
    namespace: isEncoded ? contentNamespace : formatNamespace(format),
    name,
    xml: text === '' ? `${start}/>` : `${start}>${escapeText(text)}</${tag}>`,
  };
}
