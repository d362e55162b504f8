import {
  atomNamespace,
  contentNamespace,
  dublinCoreNamespace,
  escapeText,
  podcastNamespace,
  readContent,
  readMarkup,
} from '#xml';
import type { Child, Payload, Scope } from '#xml';
import { contentOfDivision, markupAsHtml } from './markup-as-html.ts';
import { titleText } from './title-text.ts';
import { writeValue } from './value-element.ts';

/** Elements that contain plain text, and those that contain HTML as text, by namespace. */
const plainTexts: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['', new Set(['guid', 'category', 'comments', 'pubDate'])],
  [dublinCoreNamespace, new Set(['title', 'creator', 'date'])],
]);
const htmlTexts: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['', new Set(['description'])],
  [contentNamespace, new Set(['encoded'])],
  [dublinCoreNamespace, new Set(['description'])],
  [podcastNamespace, new Set(['summary', 'subtitle'])],
]);
const atomTexts: ReadonlySet<string> = new Set(['title', 'summary', 'content', 'rights']);

/** The types of Atom texts, by how publishers write them. */
const types: ReadonlyMap<string, 'text' | 'html' | 'xhtml'> = new Map([
  ['', 'text'],
  ['text', 'text'],
  ['text/plain', 'text'],
  ['html', 'html'],
  ['text/html', 'html'],
  ['xhtml', 'xhtml'],
  ['application/xhtml+xml', 'xhtml'],
]);

/** A child that is to contain text, with the elements in it as escaped HTML, or as plain text. */
export function mendText(child: Child, { format, scope }: Payload): Child {
  const { namespace, name } = child;
  if (format === 'atom' && namespace === atomNamespace)
    return atomTexts.has(name) ? mendConstruct(child, scope) : child;
  if (namespace === '' && name === 'title') return mendTitle(child, scope);
  if (namespace === '' && name === 'author') return mendAuthor(child, scope);
  const isHtml = htmlTexts.get(namespace)?.has(name) === true;
  if (!isHtml && plainTexts.get(namespace)?.has(name) !== true) return child;
  const { hasElements, text } = readContent(child.xml);
  if (!hasElements) return child;
  return writeValue(child, isHtml ? markupAsHtml(readMarkup(child, scope)) : text.trim());
}

/** A title of RSS, which is plain text. */
function mendTitle(child: Child, scope: Scope): Child {
  const { text, hasElements } = readContent(child.xml);
  const title = titleText(hasElements ? markupAsHtml(readMarkup(child, scope)) : text);
  return title === text && !hasElements ? child : writeValue(child, title);
}

/** An author of RSS that is written as one of Atom. */
function mendAuthor(child: Child, scope: Scope): Child {
  if (!readContent(child.xml).hasElements) return child;
  const parts = new Map<string, string>();
  let name = '';
  for (const piece of readMarkup(child, scope))
    if (piece.kind === 'start') name = piece.name;
    else if (piece.kind === 'text') parts.set(name, (parts.get(name) ?? '') + piece.text.trim());
  const [person = '', email] = [parts.get('name'), parts.get('email')];
  const all = [...parts.values()].join(' ').trim();
  return writeValue(child, email === undefined || person === '' ? person || all : `${email} (${person})`);
}

/** A text construct or content of Atom with its type as RFC 4287 3.1.1 has it. */
function mendConstruct(child: Child, scope: Scope): Child {
  const { attributes, hasElements, text } = readContent(child.xml);
  const written = attributes.get('type');
  const type = types.get(
    written
      ?.replace(/;[^]*$/, '')
      .trim()
      .toLowerCase() ?? '',
  );
  if (type === undefined || attributes.has('src')) return child;
  if (hasElements) {
    const pieces = readMarkup(child, scope);
    const division = type === 'xhtml' ? contentOfDivision(pieces) : undefined;
    if (division?.isXhtml === true && written === 'xhtml')
      return { ...child, xml: withoutSections(child.xml) };
    return writeValue(child, division?.html ?? markupAsHtml(pieces), 'html');
  }
  if (type !== 'xhtml' && (written === undefined || written === type)) return child;
  return writeValue(child, text, type === 'html' ? 'html' : undefined);
}

/** XML without CDATA sections, which HTML does not have. */
function withoutSections(xml: string): string {
  const [begin, ...rest] = xml.split('<![CDATA[');
  return [begin, ...rest.map(afterSection)].join('');
}

/** The text of a section, escaped, with what follows it. */
function afterSection(text: string): string {
  const end = text.indexOf(']]>');
  return end < 0 ? text : escapeText(text.slice(0, end)) + text.slice(end + ']]>'.length);
}
