import { escapeAttribute, escapeText, htmlOfText } from './escape.ts';
import { FeedError } from './feed-error.ts';
import { ItemLength } from './item-length.ts';
import { carriedFields, hasEncodedContent, readField } from './field-reading.ts';
import { FormerElements } from './former-elements.ts';
import { writeMappedElement } from './mapped-element.ts';
import { atomNamespace, formatNamespace, itemName } from './namespace.ts';
import { outlineAttributes, valuesOfAttributes } from './opml/outline-attributes.ts';
import { readText } from './payload-reading.ts';
import type { Child, FeedFormat, Format, Payload, Scope } from './payload.ts';
import { declareOn, writeDeclaration } from './start-tag.ts';
import { fieldError, neededBindings, writeTextConstruct } from './text-construct.ts';
import { finish } from './steps.ts';
import type { Steps } from './steps.ts';
import { isSyncOf, tooManyChildren, treeSteps, versionLimits } from './tree.ts';
import type { XmlElement } from './tree.ts';

/**
 * An item's content as plain values. A type is `html` or `xhtml` (then the value is a `div` as XML) and
 * absent for plain text. An RSS item with a summary has its content in `content:encoded`, and rights as an
 * Atom element (docs/mapping.md); OPML has attributes alone. What the values can't say is in
 * `payload`: further child elements as XML, each with the declarations it needs, to stand in an element whose
 * default namespace is that of the format.
 */
export interface ItemFields {
  readonly title?: string;
  readonly titleType?: string;
  /** Atom `content`, RSS `content:encoded` or else `description`. */
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
  const hasEncoded = hasEncodedContent(children, format);
  const categories: string[] = [];
  const rest: Child[] = [];
  /** The description that is a summary, and its text. */
  let description: ValueElement | undefined;
  for (const child of children) {
    const read = readField(child, format, scope, hasEncoded);
    if (read?.field === 'category') categories.push(read.value);
    else if (read?.field === 'summary' && child.name === 'description' && description === undefined)
      description = [child, read.value];
    else if (read === undefined || fields[read.field] !== undefined) rest.push(child);
    else {
      fields[read.field] = read.value;
      if (read.type !== undefined) fields[`${read.field as TextField}Type`] = read.type;
    }
  }
  if (categories.length > 0) fields.categories = categories;
  if (description !== undefined) takeDescription(description, fields, rest);
  else if (format === 'rss' && !hasEncoded && isSummaryAlone(fields)) delete fields.content;
  return rest;
}

/** Takes the description beside `content:encoded` for the summary, unless an element of Atom is that. */
function takeDescription([description, text]: ValueElement, fields: MutableFields, rest: Child[]): void {
  if (fields.summary === undefined) {
    fields.summary = text;
    if (/[<&]/.test(text)) fields.summaryType = 'html';
  } else if (text !== summaryAsDescription(fields)) rest.push(description);
}

function isSummaryAlone(fields: ItemFields): boolean {
  return fields.content !== undefined && fields.content === summaryAsDescription(fields);
}

/**
 * The description of an RSS item that has a summary and no content; undefined without a summary, or with one
 * in XHTML.
 */
function summaryAsDescription({ summary, summaryType }: ItemFields): string | undefined {
  if (summary === undefined || summaryType === 'xhtml') return undefined;
  return summaryType === 'html' ? summary : htmlOfText(summary);
}

/**
 * A payload from plain values. Throws `FeedError` if a value has no place in the format (rule
 * `field-format`), has an unknown type (`field-type`), is not the XHTML it should be, if an outline has no
 * text (`field-text`) or an attribute's name is none (`field-attribute`), if `payload` is not well-formed
 * or holds text between its elements, or if it is too long with `base` and `language`
 * (`limit-item-length`).
 * @param synchronisation the namespaces whose `sync` elements in `payload` are left out
 * @param former the payload that these values replace: attributes of its elements stay
 */
export function payloadFromFields(
  format: Format,
  fields: ItemFields,
  synchronisation: readonly string[] = [],
  former?: Payload,
): Payload {
  return finish(payloadFromFieldsSteps(format, fields, synchronisation, former));
}

/** Does what `payloadFromFields` does, in steps. */
export function* payloadFromFieldsSteps(
  format: Format,
  fields: ItemFields,
  synchronisation: readonly string[] = [],
  former?: Payload,
): Steps<Payload> {
  const namespace = formatNamespace(format);
  const { base, language, payload = '' } = fields;
  const children: Child[] = [];
  const before = yield* FormerElements.of(former);
  for (const [child, value] of ownChildren(format, fields, before.hasEncoded)) {
    children.push(before.replacedBy(child, value));
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

/** An element, and the value that it stands for. */
type ValueElement = readonly [element: Child, value: string];

/** The elements that the values stand for. */
function ownChildren(format: Format, fields: ItemFields, wasEncoded: boolean): Iterable<ValueElement> {
  const name = withoutPlace[format].find((name) => fields[name] !== undefined);
  if (name !== undefined) throw fieldError('field-format', `${itemTitles[format]} has no place for ${name}.`);
  if (format === 'opml') return [];
  return format === 'atom' ? atomChildren(fields) : rssChildren(fields, wasEncoded);
}

function* atomChildren(fields: ItemFields): Generator<ValueElement> {
  const namespace = formatNamespace('atom');
  for (const name of ['title', 'summary', 'content', 'rights'] as const) {
    const value = fields[name];
    if (value !== undefined)
      yield [{ namespace, name, xml: writeTextConstruct(name, value, fields[`${name}Type`]) }, value];
  }
  const { link, categories = [] } = fields;
  if (link !== undefined)
    yield [{ namespace, name: 'link', xml: `<link rel="alternate" href="${escapeAttribute(link)}"/>` }, link];
  for (const term of categories)
    yield [{ namespace, name: 'category', xml: `<category term="${escapeAttribute(term)}"/>` }, term];
}

function* rssChildren(fields: ItemFields, wasEncoded: boolean): Generator<ValueElement> {
  if (fields.contentType !== undefined && fields.contentType !== 'html')
    throw fieldError('field-type', 'The content of an RSS item is HTML; contentType is "html" or left out.');
  const child = (name: string, value: string): ValueElement => [
    { namespace: '', name, xml: `<${name}>${escapeText(value)}</${name}>` },
    value,
  ];
  const { title, link, content, summary, categories = [] } = fields;
  if (title !== undefined) yield child('title', title);
  if (link !== undefined) yield child('link', link);
  const excerpt = summaryAsDescription(fields);
  const isEncoded = content !== undefined && (excerpt !== undefined || (wasEncoded && summary === undefined));
  const description = isEncoded ? excerpt : (content ?? excerpt);
  if (description !== undefined) yield child('description', description);
  if (isEncoded) yield [writeEncodedContent(content), content];
  for (const category of categories) yield child('category', category);
  for (const name of carriedFields) {
    const value = fields[name];
    if (value === undefined || (name === 'summary' && isEncoded && isSaidAsDescription(fields))) continue;
    const xml = declareOn(writeTextConstruct(name, value, fields[`${name}Type`]), {
      namespaces: [['', atomNamespace]],
    });
    yield [{ namespace: atomNamespace, name, xml }, value];
  }
}

/** Whether a description alone says what the summary is, and of what type. */
function isSaidAsDescription({ summary = '', summaryType }: ItemFields): boolean {
  return (summaryType === 'html') === /[<&]/.test(summary);
}

/** The element in which an RSS item has its whole text. */
function writeEncodedContent(text: string): Child {
  return writeMappedElement({ format: 'rss', name: 'encoded', attributes: new Map(), text });
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
