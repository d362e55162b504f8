import { atomNamespace, readContent, readMarkup } from '#xml';
import type { Child, FeedFormat, Scope } from '#xml';
import { markupAsHtml } from './markup-as-html.ts';
import { writeValue } from './value-element.ts';

/** Elements that hold plain text, and those that hold HTML as text, by namespace. */
const plainTexts: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['', new Set(['title', 'link', 'guid', 'author', 'category', 'comments', 'pubDate'])],
  ['http://purl.org/dc/elements/1.1/', new Set(['title', 'creator', 'date'])],
]);
const htmlTexts: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['', new Set(['description'])],
  ['http://purl.org/rss/1.0/modules/content/', new Set(['encoded'])],
  ['http://purl.org/dc/elements/1.1/', new Set(['description'])],
  ['http://www.itunes.com/dtds/podcast-1.0.dtd', new Set(['summary', 'subtitle'])],
]);
const atomTexts: ReadonlySet<string> = new Set(['title', 'summary', 'content', 'rights']);
const htmlTypes: ReadonlySet<string> = new Set(['', 'text', 'html', 'xhtml', 'text/html', 'text/plain']);

/** A child that is to hold text, with the elements in it as escaped HTML, or as plain text. */
export function withEscapedMarkup(child: Child, format: FeedFormat, scope: Scope): Child {
  const { namespace, name, xml } = child;
  const isHtml = htmlTexts.get(namespace)?.has(name) === true;
  const isPlain = plainTexts.get(namespace)?.has(name) === true;
  const isOfAtom = format === 'atom' && namespace === atomNamespace && atomTexts.has(name);
  if (!isHtml && !isPlain && !isOfAtom) return child;
  const { hasElements, text, attributes } = readContent(xml);
  if (!hasElements) return child;
  if (isPlain) return writeValue(child, text.trim());
  if (isHtml) return writeValue(child, markupAsHtml(readMarkup(child, scope)));
  const type = attributes.get('type')?.trim().toLowerCase() ?? '';
  if (!htmlTypes.has(type) || isDivision(child, scope, type)) return child;
  return writeValue(child, markupAsHtml(readMarkup(child, scope)), 'html');
}

const xhtmlNamespace = 'http://www.w3.org/1999/xhtml';

/** Whether a text of type `xhtml` is one `div`, as RFC 4287 3.1.1.3 defines it. */
function isDivision(child: Child, scope: Scope, type: string): boolean {
  if (type !== 'xhtml') return false;
  let depth = 0;
  let isOnlyDivision = true;
  for (const piece of readMarkup(child, scope)) {
    if (piece.kind === 'text') isOnlyDivision &&= depth !== 1 || piece.text.trim() === '';
    else if (piece.kind === 'end') depth -= 1;
    else {
      if (depth === 1) isOnlyDivision &&= piece.name === 'div' && piece.namespace === xhtmlNamespace;
      depth += 1;
    }
  }
  return isOnlyDivision;
}
