import { atomNamespace, FeedError, mediaNamespace, parseUrl } from '#xml';
import type { MarkupElement, MarkupNode } from './markup-tree.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const none: readonly [string, string][] = [];

/** How many values a document may have: objects, arrays, and what is in them. */
const maximumValues = 500_000;

/**
 * A JSON Feed (version 1 or 1.1) as a feed of Atom 1.0. Extensions, whose names begin with `_`, are left out.
 * Returns undefined for what is no JSON Feed.
 * @param take called with each entry, which the feed that is returned is without
 * @throws FeedError of rule `limit-elements` for more values than can be held
 */
export function jsonFeed(text: string, take: (entry: MarkupElement) => void): MarkupElement | undefined {
  checkValues(text);
  const feed = parsed(text);
  if (!isObject(feed) || !Array.isArray(feed['items'])) return undefined;
  const context = { authors: authors(feed), site: stringOf(feed['home_page_url']) };
  for (const item of feed['items']) if (isObject(item)) take(entry(item, context));
  return {
    name: 'feed',
    attributes: new Map([['xmlns', atomNamespace], ...language(feed)]),
    children: [
      ...texts('title', feed['title']),
      ...texts('subtitle', feed['description']),
      ...texts('id', feed['feed_url'] ?? feed['home_page_url']),
      ...link('alternate', feed['home_page_url']),
      ...link('self', feed['feed_url']),
      ...listOf(feed['hubs']).filter(isObject).flatMap(hub),
      ...context.authors,
    ],
  };
}

/** A hub that speaks WebSub; there are other types. */
function hub({ type, url }: JsonObject): MarkupElement[] {
  return type === 'WebSub' ? link('hub', url) : [];
}

/** Counts the values before a tree of them is made. */
function checkValues(text: string): void {
  const mark = /[",[{]/g;
  let count = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = stringEnd(text, found.index);
    else count += 1;
    if (count <= maximumValues) continue;
    const message = `A JSON Feed has more than ${maximumValues} values.`;
    throw new FeedError({ rule: 'limit-elements', section: 'limits', message, line: 1, column: 1 });
  }
}

/** The offset behind a string that begins at an offset. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What items take from their feed: its authors, if they name none, and the page that addresses are for. */
interface FeedContext {
  readonly authors: readonly MarkupElement[];
  readonly site: string | undefined;
}

function entry(item: JsonObject, context: FeedContext): MarkupElement {
  const html = stringOf(item['content_html']);
  const own = authors(item);
  return {
    name: 'entry',
    attributes: new Map([...language(item), ...base(address(item['url'], context) ?? context.site)]),
    children: [
      ...texts('id', item['id']),
      ...texts('title', item['title']),
      ...link('alternate', address(item['url'] ?? item['external_url'], context)),
      ...(item['url'] === undefined ? [] : link('related', address(item['external_url'], context))),
      ...texts('updated', item['date_modified'] ?? item['date_published']),
      ...texts('published', item['date_published']),
      ...(own.length > 0 ? own : context.authors),
      ...image(address(item['image'] ?? item['banner_image'], context)),
      ...texts('summary', item['summary']),
      ...(html === undefined
        ? texts('content', item['content_text'])
        : [element('content', [['type', 'html']], [html])]),
      ...listOf(item['tags']).flatMap((tag) => {
        const term = stringOf(tag);
        return term === undefined ? [] : [element('category', [['term', term]])];
      }),
      ...listOf(item['attachments'])
        .filter(isObject)
        .flatMap((attachment) => enclosure(attachment, context)),
    ],
  };
}

function enclosure(attachment: JsonObject, context: FeedContext): MarkupElement[] {
  const href = address(attachment['url'], context);
  if (href === undefined) return [];
  const said = [
    ['type', stringOf(attachment['mime_type'])],
    ['length', stringOf(attachment['size_in_bytes'])],
    ['title', stringOf(attachment['title'])],
  ] as const;
  const attributes = said.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return [element('link', [['rel', 'enclosure'], ['href', href], ...attributes])];
}

function image(value: unknown): MarkupElement[] {
  const url = stringOf(value);
  if (url === undefined) return [];
  const declaration: [string, string] = ['xmlns:media', mediaNamespace];
  return [element('media:thumbnail', [declaration, ['url', url]])];
}

/** The authors, of version 1 too, which has one. */
function authors(said: JsonObject): MarkupElement[] {
  return [...listOf(said['authors']), ...(said['authors'] === undefined ? [said['author']] : [])]
    .filter(isObject)
    .map((author) =>
      element('author', none, [...texts('name', author['name']), ...texts('uri', author['url'])]),
    )
    .filter(({ children }) => children.length > 0);
}

function language(said: JsonObject): [string, string][] {
  const code = stringOf(said['language']);
  return code === undefined ? [] : [['xml:lang', code]];
}

/** What addresses in a text are relative to: the page of the item, else that of the site. */
function base(page: string | undefined): [string, string][] {
  return page === undefined ? [] : [['xml:base', page]];
}

/** An address, made absolute by that of the site. */
function address(value: unknown, { site }: FeedContext): string | undefined {
  const url = stringOf(value)?.trim();
  return url === undefined || site === undefined ? url : (parseUrl(url, site)?.href ?? url);
}

function link(rel: string, value: unknown): MarkupElement[] {
  const href = stringOf(value);
  return href === undefined
    ? []
    : [
        element('link', [
          ['rel', rel],
          ['href', href],
        ]),
      ];
}

function texts(name: string, value: unknown): MarkupElement[] {
  const text = stringOf(value);
  return text === undefined ? [] : [element(name, none, [text])];
}

function element(
  name: string,
  attributes: readonly [string, string][],
  children: readonly MarkupNode[] = [],
): MarkupElement {
  return { name, attributes: new Map(attributes), children };
}

/** A text, or a number as one: ids of JSON Feeds are often numbers. Undefined for a blank one. */
function stringOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
