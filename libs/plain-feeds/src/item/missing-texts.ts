import {
  atomNamespace,
  contentNamespace,
  dublinCoreNamespace,
  dublinCoreTermsNamespace,
  htmlOfText,
  mediaNamespace,
  podcastNamespace,
  readContent,
  readMarkup,
  xhtmlNamespace,
} from '#xml';
import type { Child, FeedFormat, Scope } from '#xml';
import { markupAsHtml } from './markup-as-html.ts';
import { called, firstText } from './named-elements.ts';
import type { ModuleText, Name } from './named-elements.ts';
import { element } from './value-element.ts';

const titles: readonly Name[] = [
  [dublinCoreNamespace, 'title'],
  [mediaNamespace, 'title'],
  [podcastNamespace, 'title'],
];

/** The title of an item that only a module has. */
export function missingTitle(all: readonly Child[], format: FeedFormat): Child[] {
  const own: Name = [ownNamespace(format), 'title'];
  if (firstText(all, [own]) !== undefined) return [];
  const title = firstText(all, titles);
  return title === undefined ? [] : [element({ namespace: own[0], name: 'title' }, [], title.text)];
}

const contents: Readonly<Record<FeedFormat, readonly Name[]>> = {
  atom: [
    [atomNamespace, 'content'],
    [atomNamespace, 'summary'],
    [contentNamespace, 'encoded'],
  ],
  rss: [
    [contentNamespace, 'encoded'],
    ['', 'description'],
    [atomNamespace, 'content'],
    [atomNamespace, 'summary'],
  ],
};
const descriptions: readonly Name[] = [
  [dublinCoreNamespace, 'description'],
  [dublinCoreTermsNamespace, 'abstract'],
  [mediaNamespace, 'description'],
  [podcastNamespace, 'summary'],
  ['http://wordpress.org/export/1.2/excerpt/', 'encoded'],
  ['http://www.google.com/schemas/play-podcasts/1.0', 'description'],
  [podcastNamespace, 'subtitle'],
];

/** The content of an item that only a module, or a body in XHTML, has. */
export function missingContent(all: readonly Child[], format: FeedFormat, scope: Scope): Child[] {
  const own = contents[format].filter(([namespace, name]) => hasContent(all, namespace, name));
  const body = all.find(({ namespace, name }) => namespace === xhtmlNamespace && isBody(name));
  const whole = body && { text: markupAsHtml(readMarkup(body, scope)), isHtml: true };
  if (whole !== undefined && whole.text !== '' && !own.some(([, name]) => name !== 'description'))
    return [writeContent(whole, format, own.length > 0)];
  if (own.length > 0) return [];
  const said = firstText(all, descriptions);
  return said === undefined ? [] : [writeContent(said, format, false)];
}

function isBody(name: string): boolean {
  return name === 'body' || name === 'div';
}

/** Whether an item has content of this name: text, elements, or an address. */
function hasContent(all: readonly Child[], namespace: string, name: string): boolean {
  return called(all, [namespace, name]).some(({ xml }) => {
    const { text, hasElements, attributes } = readContent(xml);
    return text.trim() !== '' || hasElements || attributes.has('src');
  });
}

function writeContent({ text, isHtml }: ModuleText, format: FeedFormat, hasSummary: boolean): Child {
  if (format === 'atom')
    return element({ namespace: atomNamespace, name: 'content' }, isHtml ? [['type', 'html']] : [], text);
  const name = hasSummary
    ? { namespace: contentNamespace, name: 'encoded' }
    : { namespace: '', name: 'description' };
  return element(name, [], isHtml ? text : htmlOfText(text));
}

function ownNamespace(format: FeedFormat): string {
  return format === 'atom' ? atomNamespace : '';
}
