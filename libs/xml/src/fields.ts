import { escapeAttribute, escapeText } from './escape.ts';
import { FeedError } from './feed-error.ts';
import { ItemLength } from './item-length.ts';
import { htmlOfText } from './html-text.ts';
import { atomNamespace, formatNamespace, itemName } from './namespace.ts';
import { outlineAttributes, valuesOfAttributes } from './opml/outline-attributes.ts';
import { readText } from './payload-reading.ts';
import type { Child, FeedFormat, Format, Payload, Scope } from './payload.ts';
import { declareOn, writeDeclaration } from './start-tag.ts';
import { readContent } from './text-content.ts';
import { fieldError, neededBindings, readTextConstruct, writeTextConstruct } from './text-construct.ts';
import { finish } from './steps.ts';
import type { Steps } from './steps.ts';
import { isSyncOf, tooManyChildren, treeSteps, versionLimits } from './tree.ts';
import type { XmlElement } from './tree.ts';

/**
 * An item's content as plain values. A type is `html` or `xhtml` (then the value is a `div` as XML) and
 * absent for plain text. An RSS item has its summary and rights as Atom elements, and its description without
 * a content is the summary (docs/mapping.md); OPML has attributes alone. What the values can't say is in
 * `payload`: further child elements as XML, each with the declarations it needs, to stand in an element whose
 * default namespace is that of the format.
 */
export interface ItemFields {
  readonly title?: string;
  readonly titleType?: string;
  /** Atom `content`, RSS `description`. */
  readonly content?: string;
  readonly contentType?: string;
  readonly summary?: string;
  readonly summaryType?: string;
  /** The alternate link. */
  readonly link?: string;
  readonly categories?: readonly string[];
  readonly rights?: string;
  readonly rightsType?: string;
  /**
   * Of an OPML outline: `text` and whatever else it has, by name, `{namespace}name` if the name has a
   * namespace.
   */
  readonly attributes?: Readonly<Record<string, string>>;
  /** `xml:base` and `xml:lang` in force for all of it. */
  readonly base?: string;
  readonly language?: string;
  readonly payload?: string;
}

type TextField = 'title' | 'content' | 'summary' | 'rights';

const textFields: Readonly<Record<FeedFormat, ReadonlyMap<string, TextField>>> = {
  atom: new Map([
    ['title', 'title'],
    ['content', 'content'],
    ['summary', 'summary'],
    ['rights', 'rights'],
  ]),
  rss: new Map([
    ['title', 'title'],
    ['description', 'content'],
  ]),
};

/** What Atom has a name for and RSS has none: an RSS item carries it as an element of Atom. */
const carriedFields = ['summary', 'rights'] as const;

type MutableFields = { -readonly [Name in keyof ItemFields]: ItemFields[Name] };

/**
 * The plain values of a payload. What `payloadFromFields` makes of them means the same, but for attributes of
 * the element of an entry or RSS item.
 */
export function fieldsOfPayload({ format, children, scope, attributes = [] }: Payload): ItemFields {
  const fields: MutableFields = {};
  const rest = format === 'opml' ? children : takeElements(children, scope, format, fields);
  if (format === 'opml') fields.attributes = valuesOfAttributes(attributes);
  if (scope.base !== undefined) fields.base = scope.base;
  if (scope.language !== undefined) fields.language = scope.language;
  const slices = rest.map(({ xml }) =>
    declareOn(xml, { namespaces: neededBindings(xml, scope.namespaces, formatNamespace(format)) }),
  );
  if (slices.length > 0) fields.payload = slices.join('\n');
  return fields;
}

/** Sets the values that children stand for; returns the other children. */
function takeElements(
  children: readonly Child[],
  scope: Scope,
  format: FeedFormat,
  fields: MutableFields,
): Child[] {
  const categories: string[] = [];
  const rest: Child[] = [];
  for (const child of children) {
    const isOwn = child.namespace === formatNamespace(format);
    const field = isOwn ? textFields[format].get(child.name) : carriedField(child);
    if (field !== undefined && fields[field] === undefined) {
      const construct =
        child.namespace === atomNamespace ? readTextConstruct(child, scope) : readPlain(child);
      if (construct !== undefined) {
        fields[field] = construct.value;
        if (construct.type !== undefined) fields[`${field}Type`] = construct.type;
        continue;
      }
    }
    const link =
      isOwn && child.name === 'link' && fields.link === undefined ? readLink(child, format) : undefined;
    const category = isOwn && child.name === 'category' ? readCategory(child, format) : undefined;
    if (link !== undefined) fields.link = link;
    else if (category !== undefined) categories.push(category);
    else rest.push(child);
  }
  if (categories.length > 0) fields.categories = categories;
  if (format === 'rss' && fields.content !== undefined && fields.content === summaryAsDescription(fields))
    delete fields.content;
  return rest;
}

function carriedField({ namespace, name }: Child): TextField | undefined {
  return namespace === atomNamespace ? carriedFields.find((field) => field === name) : undefined;
}

/**
 * The description of an RSS item that has a summary and no content; undefined without a summary, or with one
 * in XHTML.
 */
function summaryAsDescription({ summary, summaryType }: ItemFields): string | undefined {
  if (summary === undefined || summaryType === 'xhtml') return undefined;
  return summaryType === 'html' ? summary : htmlOfText(summary);
}

function readPlain(child: Child): { value: string; type?: undefined } | undefined {
  const { attributes, text, hasElements } = readContent(child.xml);
  return attributes.size === 0 && !hasElements ? { value: text } : undefined;
}

function readLink(child: Child, format: FeedFormat): string | undefined {
  if (format === 'rss') return readPlain(child)?.value;
  const { attributes, hasElements, text } = readContent(child.xml);
  const isAlternate =
    attributes.size === 1 || (attributes.size === 2 && attributes.get('rel') === 'alternate');
  return isAlternate && !hasElements && text === '' ? attributes.get('href') : undefined;
}

function readCategory(child: Child, format: FeedFormat): string | undefined {
  if (format === 'rss') return readPlain(child)?.value;
  const { attributes, hasElements, text } = readContent(child.xml);
  return attributes.size === 1 && !hasElements && text === '' ? attributes.get('term') : undefined;
}

/**
 * A payload from plain values. Throws `FeedError` if a value has no place in the format (rule
 * `field-format`), has an unknown type (`field-type`), is not the XHTML it should be, if an outline has no
 * text (`field-text`) or an attribute's name is none (`field-attribute`), if `payload` is not well-formed
 * or holds text between its elements, or if it is too long with `base` and `language`
 * (`limit-item-length`).
 * @param synchronisation the namespaces whose `sync` elements in `payload` are left out
 */
export function payloadFromFields(
  format: Format,
  fields: ItemFields,
  synchronisation: readonly string[] = [],
): Payload {
  return finish(payloadFromFieldsSteps(format, fields, synchronisation));
}

/** Does what `payloadFromFields` does, in steps. */
export function* payloadFromFieldsSteps(
  format: Format,
  fields: ItemFields,
  synchronisation: readonly string[] = [],
): Steps<Payload> {
  const namespace = formatNamespace(format);
  const { base, language, payload = '' } = fields;
  const children: Child[] = [];
  for (const child of ownChildren(format, fields)) {
    children.push(child);
    yield;
  }
  for (const child of yield* readChildren(format, payload, isSyncOf(synchronisation))) children.push(child);
  const fault = tooManyChildren(children);
  if (fault !== undefined && format !== 'opml') throw fieldError('limit-elements', fault);
  const attributes = format === 'opml' ? outlineAttributes(fields.attributes ?? {}) : [];
  const scope: Scope = {
    namespaces: namespace === '' ? [] : [['', namespace]],
    ...(base !== undefined && { base }),
    ...(language !== undefined && { language }),
  };
  new ItemLength().addPayload({ children, scope });
  return { format, children, scope, ...(attributes.length > 0 && { attributes }) };
}

const itemTitles = { atom: 'An Atom entry', rss: 'An RSS item', opml: 'An OPML outline' } as const;
const withoutPlace: Readonly<Record<Format, readonly (keyof ItemFields)[]>> = {
  atom: ['attributes'],
  rss: ['titleType', 'attributes'],
  opml: [
    'title',
    'titleType',
    'content',
    'contentType',
    'summary',
    'summaryType',
    'link',
    'categories',
    'rights',
    'rightsType',
  ],
};

/** The elements that the values stand for. */
function ownChildren(format: Format, fields: ItemFields): Iterable<Child> {
  const name = withoutPlace[format].find((name) => fields[name] !== undefined);
  if (name !== undefined) throw fieldError('field-format', `${itemTitles[format]} has no place for ${name}.`);
  if (format === 'opml') return [];
  return format === 'atom' ? atomChildren(fields) : rssChildren(fields);
}

function* atomChildren(fields: ItemFields): Generator<Child> {
  const namespace = formatNamespace('atom');
  for (const name of ['title', 'summary', 'content', 'rights'] as const) {
    const value = fields[name];
    if (value !== undefined)
      yield { namespace, name, xml: writeTextConstruct(name, value, fields[`${name}Type`]) };
  }
  if (fields.link !== undefined)
    yield { namespace, name: 'link', xml: `<link rel="alternate" href="${escapeAttribute(fields.link)}"/>` };
  for (const term of fields.categories ?? [])
    yield { namespace, name: 'category', xml: `<category term="${escapeAttribute(term)}"/>` };
}

function* rssChildren(fields: ItemFields): Generator<Child> {
  if (fields.contentType !== undefined && fields.contentType !== 'html')
    throw fieldError('field-type', 'The content of an RSS item is HTML; contentType is "html" or left out.');
  const child = (name: string, value: string): Child => ({
    namespace: '',
    name,
    xml: `<${name}>${escapeText(value)}</${name}>`,
  });
  if (fields.title !== undefined) yield child('title', fields.title);
  if (fields.link !== undefined) yield child('link', fields.link);
  const description = fields.content ?? summaryAsDescription(fields);
  if (description !== undefined) yield child('description', description);
  for (const category of fields.categories ?? []) yield child('category', category);
  for (const name of carriedFields) {
    const value = fields[name];
    const xml = value === undefined ? undefined : writeTextConstruct(name, value, fields[`${name}Type`]);
    if (xml !== undefined)
      yield { namespace: atomNamespace, name, xml: declareOn(xml, { namespaces: [['', atomNamespace]] }) };
  }
}

/** Returns the elements of a piece of XML that would stand in an item. */
function* readChildren(
  format: Format,
  payload: string,
  isSync: (child: XmlElement) => boolean,
): Steps<Child[]> {
  if (payload.trim() === '') return [];
  const name = itemName(format);
  const namespace = formatNamespace(format);
  const before = `<${name}${namespace === '' ? '' : writeDeclaration('', namespace)}>\n`;
  try {
    const text = `${before}${readText(payload)}</${name}>`;
    const { children } = yield* treeSteps(text, {}, versionLimits);
    let end = before.length;
    for (const child of children) {
      checkBetween(text.slice(end, child.start));
      end = child.end;
    }
    checkBetween(text.slice(end, text.length - name.length - 3));
    if (format === 'opml' && children.some(({ namespace, name }) => namespace === '' && name === 'outline'))
      throw fieldError('field-payload', 'An outline in an outline is an item of its own.');
    return children
      .filter((child) => !isSync(child))
      .map(({ namespace, name, start, end }) => ({ namespace, name, xml: text.slice(start, end) }));
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    const { rule, section, message, line, column } = error.violation;
    throw new FeedError(
      { rule, section, message: `payload: ${message}`, line: Math.max(1, line - 1), column },
      { cause: error },
    );
  }
}

function checkBetween(gap: string): void {
  if (/^(?:\s|<!--[^]*?-->|<\?[^]*?\?>)*/.exec(gap)?.[0].length !== gap.length)
    throw fieldError('field-payload', 'There are elements only, no text between them.');
}
