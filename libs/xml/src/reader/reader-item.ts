import { resolveBase } from '../base.ts';
import { convertPayload } from '../format-mapping.ts';
import { authorsOf } from '../item-authors.ts';
import type { ItemAuthor } from '../item-authors.ts';
import { enclosuresOf, imageOf } from '../item-media.ts';
import type { Enclosure } from '../item-media.ts';
import { commentsOf, sourceOf } from '../item-relations.ts';
import type { ItemSource } from '../item-relations.ts';
import { isEncodedContent } from '../mapped-element.ts';
import { atomNamespace } from '../namespace.ts';
import type { Child, Payload, Scope } from '../payload.ts';
import { oneLine, readAttributes, readContent } from '../text-content.ts';
import { absoluteUrl } from './absolute-url.ts';
import { withAbsoluteReferences } from './html-references.ts';
import { plainTitle, readReaderText } from './reader-text.ts';
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
  readonly authors: readonly ItemAuthor[];
  readonly categories: readonly ReaderCategory[];
  readonly enclosures: readonly Enclosure[];
  /** The address of its picture. */
  readonly image?: string;
  /** The address of the comments on it. */
  readonly comments?: string;
  readonly source?: ItemSource;
  readonly rights?: string;
  /** The language of the item (BCP 47). */
  readonly language?: string;
}

export interface ReaderCategory {
  readonly term: string;
  readonly scheme?: string;
  readonly label?: string;
}

/**
 * Returns the values of a payload of Atom or RSS that a feed reader shows: those that the two formats define,
 * `content:encoded`, and authors and pictures of Dublin Core, podcasts and Media RSS. Throws `FeedError` for
 * OPML, which has no entries.
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
  const based = { ...scope, base: outer ?? address };
  const image = imageOf(children, based);
  const comments = commentsOf(children, based);
  const source = sourceOf(children, based);
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
    enclosures: enclosuresOf(payload.children, based),
    ...(image !== undefined && { image }),
    ...(comments !== undefined && { comments }),
    ...(source && { source }),
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
}

/** Reads an Atom link, or content that stands elsewhere (RFC 4287, 4.1.3.2). */
function readLink(child: Child, outer: string | undefined): ReadLink {
  const attributes = readAttributes(child.xml);
  const base = resolveBase(outer, attributes.get('xml:base'));
  const url = absoluteUrl(attributes.get('href') ?? attributes.get('src') ?? '', base);
  return { relation: (attributes.get('rel') ?? 'alternate').trim(), ...(url !== undefined && { url }) };
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

function isFilled(text: string): boolean {
  return text !== '';
}
