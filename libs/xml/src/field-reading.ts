import { isEncodedContent } from './mapped-element.ts';
import { atomNamespace, formatNamespace } from './namespace.ts';
import type { Child, FeedFormat, Scope } from './payload.ts';
import { resolveBase } from './base.ts';
import { readAttributes, readContent } from './text-content.ts';
import { isUrl, parseUrl } from './url.ts';
import { readTextConstruct } from './text-construct.ts';

/** The fields of an item that one child each stands for. */
export type FieldName = 'title' | 'content' | 'summary' | 'rights' | 'link' | 'category';

/** The value of a field as a child has it, whatever else its attributes say. */
export interface FieldValue {
  readonly field: FieldName;
  readonly value: string;
  /** Of a text; absent for plain text, and for the text of an RSS item. */
  readonly type?: 'html' | 'xhtml';
}

const ownFields: Readonly<Record<FeedFormat, ReadonlyMap<string, FieldName>>> = {
  atom: new Map(
    (['title', 'content', 'summary', 'rights', 'link', 'category'] as const).map((name) => [name, name]),
  ),
  rss: new Map([
    ['title', 'title'],
    ['description', 'content'],
    ['link', 'link'],
    ['category', 'category'],
  ]),
};

/** What Atom has a name for and RSS has none: an RSS item carries it as an element of Atom. */
export const carriedFields = ['summary', 'rights'] as const;

/** Whether an RSS item has its whole text in `content:encoded`, so that its description is a summary. */
export function hasEncodedContent(children: readonly Child[], format: FeedFormat): boolean {
  return (
    format === 'rss' && children.some((child) => isEncodedContent(child) && encodedText(child) !== undefined)
  );
}

/**
 * Reads the field that a child of an item stands for. Returns undefined for one that stands for none, or that
 * holds more than a value, such as elements.
 * @param hasEncoded what `hasEncodedContent` says of the item
 */
export function readField(
  child: Child,
  format: FeedFormat,
  scope: Scope,
  hasEncoded: boolean,
): FieldValue | undefined {
  const { namespace, name } = child;
  if (namespace === formatNamespace(format)) {
    const field = ownFields[format].get(name);
    if (field === undefined) return undefined;
    if (field === 'link') return valueOf(field, linkAddress(child, format, scope));
    if (field === 'category') return valueOf(field, format === 'atom' ? term(child) : plainText(child));
    if (format === 'atom') return construct(field, child, scope);
    return valueOf(hasEncoded && field === 'content' ? 'summary' : field, plainText(child));
  }
  if (hasEncoded && isEncodedContent(child)) return valueOf('content', encodedText(child));
  const carried = namespace === atomNamespace ? carriedFields.find((field) => field === name) : undefined;
  return carried && construct(carried, child, scope);
}

function construct(field: FieldName, child: Child, scope: Scope): FieldValue | undefined {
  const read = readTextConstruct(child, scope);
  return read && { field, ...read };
}

function valueOf(field: FieldName, value: string | undefined): FieldValue | undefined {
  return value === undefined ? undefined : { field, value };
}

function plainText(child: Child): string | undefined {
  const { text, hasElements } = readContent(child.xml);
  return hasElements ? undefined : text;
}

function encodedText(child: Child): string | undefined {
  const text = plainText(child);
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** The address of a link, absolute if its base is known. */
function linkAddress(child: Child, format: FeedFormat, scope: Scope): string | undefined {
  const written = format === 'atom' ? alternateLink(child) : plainText(child)?.trim();
  if (written === undefined || isUrl(written)) return written;
  const base = resolveBase(scope.base, readAttributes(child.xml).get('xml:base'));
  return (base === undefined ? undefined : parseUrl(written, base)?.href) ?? written;
}

/** The address of an Atom link of relation `alternate`, which is the one of a link without a relation. */
function alternateLink(child: Child): string | undefined {
  const { attributes, text, hasElements } = readContent(child.xml);
  const relation = attributes.get('rel')?.trim().toLowerCase() ?? 'alternate';
  return relation === 'alternate' && !hasElements && text.trim() === '' ? attributes.get('href') : undefined;
}

function term(child: Child): string | undefined {
  const { attributes, text, hasElements } = readContent(child.xml);
  return !hasElements && text.trim() === '' ? attributes.get('term') : undefined;
}
