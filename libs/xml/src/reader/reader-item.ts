import { resolveBase } from '../base.ts';
import { convertPayload } from '../format-mapping.ts';
import { isEncodedContent } from '../mapped-element.ts';
import { atomNamespace } from '../namespace.ts';
import type { Child, Payload, Scope } from '../payload.ts';
import { readAttributes, readContent } from '../text-content.ts';
import { declareOn } from '../start-tag.ts';
import { readTree } from '../tree.ts';
import { absoluteUrl } from './absolute-url.ts';
import { withAbsoluteReferences } from './html-references.ts';
import { oneLine, plainTitle, readReaderText } from './reader-text.ts';
import type { ReaderText } from './reader-text.ts';
import type { Steps } from '../steps.ts';

/** What a feed reader shows of an item: values alone, none of them empty. URLs are absolute. */
export interface ReaderItem {
  /** Plain text on one line; absent if the item has none. */
  readonly title?: string;
  readonly link?: string;
  readonly content?: ReaderText;
  /** Only beside a content. */
  readonly summary?: ReaderText;
  readonly authors: readonly ReaderAuthor[];
  readonly categories: readonly ReaderCategory[];
  readonly enclosures: readonly ReaderEnclosure[];
  readonly rights?: string;
  /** The language of the item (BCP 47). */
  readonly language?: string;
}

export interface ReaderAuthor {
  readonly name: string;
  readonly email?: string;
  readonly uri?: string;
}

export interface ReaderCategory {
  readonly term: string;
  readonly scheme?: string;
  readonly label?: string;
}

export interface ReaderEnclosure {
  readonly url: string;
  /** In bytes. */
  readonly length?: number;
  readonly type?: string;
}

const dublinCoreNamespace = 'http://purl.org/dc/elements/1.1/';

/**
 * What a feed reader shows of a payload of Atom or RSS: what the two formats define, `content:encoded` and
 * `dc:creator`. Other foreign markup is left out. Throws `FeedError` for OPML, which has no entries.
 * @param address absolute: what relative references are for if the payload says nothing else
 */
export function* readReaderItem(payload: Payload, address: string): Steps<ReaderItem> {
  const { children, scope } = convertPayload(payload, 'atom');
  yield;
  const atom = (name: string): Child[] =>
    children.filter((child) => child.name === name && child.namespace === atomNamespace);
  const outer = resolveBase(address, scope.base);
  const links: ReadLink[] = [];
  for (const child of atom('link')) {
    links.push(readLink(child, outer));
    yield;
  }
  const [link] = [
    ...links.filter(({ relation }) => relation === 'alternate'),
    ...atom('content').map((child) => readLink(child, outer)),
  ].flatMap(({ url }) => url ?? []);
  const title = atom('title').map(plainTitle).find(isFilled);
  const rights = atom('rights').map(plainTitle).find(isFilled);
  yield;
  const texts = yield* encodedContent(children, scope, link ?? address);
  for (const child of [...atom('content'), ...atom('summary')]) {
    const text = yield* readReaderText(child, scope, link ?? address);
    if (text !== undefined) texts.push(text);
    yield;
  }
  const [content, summary] = texts;
  const categories = distinct(atom('category').flatMap((child) => readCategory(child) ?? []));
  const language =
    scope.language !== undefined && /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(scope.language)
      ? scope.language
      : undefined;
  return {
    ...(title !== undefined && { title }),
    ...(link !== undefined && { link }),
    ...(content && { content }),
    ...(summary && summary.value !== content?.value && { summary }),
    authors: authorsOf(children, scope, address),
    categories,
    enclosures: links.flatMap(({ relation, url, length, type }) =>
      relation === 'enclosure' && url !== undefined ? [{ url, ...length, ...type }] : [],
    ),
    ...(rights !== undefined && { rights }),
    ...(language !== undefined && { language }),
  };
}

function* encodedContent(children: readonly Child[], scope: Scope, address: string): Steps<ReaderText[]> {
  const child = children.find(isEncodedContent);
  if (child === undefined) return [];
  const { text, attributes } = readContent(child.xml);
  const base = resolveBase(resolveBase(address, scope.base), attributes.get('xml:base')) ?? address;
  const html = text.trim();
  return html === '' ? [] : [{ type: 'html', value: yield* withAbsoluteReferences(html, base) }];
}

interface ReadLink {
  readonly relation: string;
  readonly url?: string;
  readonly length?: { readonly length: number };
  readonly type?: { readonly type: string };
}

/** Reads an Atom link, or content that stands elsewhere (RFC 4287, 4.1.3.2). */
function readLink(child: Child, outer: string | undefined): ReadLink {
  const attributes = readAttributes(child.xml);
  const base = resolveBase(outer, attributes.get('xml:base'));
  const url = absoluteUrl(attributes.get('href') ?? attributes.get('src') ?? '', base);
  const [length = '', type = ''] = [attributes.get('length')?.trim(), attributes.get('type')?.trim()];
  return {
    relation: (attributes.get('rel') ?? 'alternate').trim(),
    ...(url !== undefined && { url }),
    ...(/^[0-9]{1,15}$/.test(length) && { length: { length: Number(length) } }),
    ...(isMediaType(type) && { type: { type } }),
  };
}

function isMediaType(type: string): boolean {
  return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;.*)?$/i.test(type);
}

function readCategory(child: Child): ReaderCategory | undefined {
  const attributes = readAttributes(child.xml);
  const term = oneLine(attributes.get('term') ?? '');
  const [scheme, label] = [
    absoluteUrl(attributes.get('scheme') ?? ''),
    oneLine(attributes.get('label') ?? ''),
  ];
  return term === ''
    ? undefined
    : { term, ...(scheme !== undefined && { scheme }), ...(label !== '' && { label }) };
}

/** Each category once. */
function distinct(categories: readonly ReaderCategory[]): ReaderCategory[] {
  return [
    ...new Map(
      categories.map((category) => [`${category.scheme ?? ''} ${category.term}`, category]),
    ).values(),
  ];
}

function authorsOf(children: readonly Child[], scope: Scope, address: string): ReaderAuthor[] {
  return children.flatMap((child) => {
    const { namespace, name } = child;
    if (name === 'author' && namespace === atomNamespace) return readAuthor(child, scope, address);
    if (name === 'creator' && namespace === dublinCoreNamespace) return named(readContent(child.xml).text);
    return name === 'author' && namespace === '' ? readMailbox(readContent(child.xml).text) : [];
  });
}

/** An Atom person (RFC 4287, 3.2). */
function readAuthor(child: Child, scope: Scope, address: string): ReaderAuthor[] {
  const xml = declareOn(child.xml, { namespaces: scope.namespaces });
  const root = readTree(xml);
  const part = (wanted: string): string => {
    const element = root.children.find(
      ({ namespace, name }) => name === wanted && namespace === atomNamespace,
    );
    if (element === undefined) return '';
    return oneLine(readContent(xml.slice(element.start, element.end)).text);
  };
  const [email, uri] = [part('email'), absoluteUrl(part('uri'), resolveBase(address, scope.base))];
  return named(part('name') || email).map((author) => ({
    ...author,
    ...(isMailAddress(email) && { email }),
    ...(uri !== undefined && { uri }),
  }));
}

/** The author of RSS: an address, and often a name behind it in parentheses. */
function readMailbox(text: string): ReaderAuthor[] {
  const match = /^([^\s()<>@]+@[^\s()<>]+)\s*(?:\(([^()]*)\))?$/.exec(oneLine(text));
  if (match === null) return named(text);
  const [, email = '', name = ''] = match;
  return named(name.trim() || email).map((author) => ({ ...author, ...(isMailAddress(email) && { email }) }));
}

function named(text: string): ReaderAuthor[] {
  const name = oneLine(text);
  return name === '' ? [] : [{ name }];
}

function isMailAddress(text: string): boolean {
  return /^[a-z0-9_+.'!#$%&*/=?^`{|}~-]+@(?:[a-z0-9-]+\.)+[a-z0-9-]+$/i.test(text);
}

function isFilled(text: string): boolean {
  return text !== '';
}
