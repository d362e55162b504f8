import { escapeText, selfLink, atomNamespace, rfc822Date, writeDeclaration, readTree } from '#xml';
import { cseNamespace } from './namespace.ts';

/** What we say of a feed of a tree. */
export interface CseFeedDescription {
  readonly title: string;
  /** Where the feed stands, absolute. */
  readonly selfUrl: string;
  /** RFC 3339; absent of a feed in which nothing has been published yet. */
  readonly lastBuildDate?: string;
  /** Further children of its channel, each as XML that stands on its own. */
  readonly head: readonly string[];
}

/**
 * A feed of a tree up to its first item: RSS 2.0, which has a link and a description if the head has none,
 * and binds `csx` and `atom`. A title, a `lastBuildDate` or an item in the head is left out. Throws
 * `FeedError` for text that XML can't hold (rule `xml-character`) and for a head that is not well-formed,
 * `RangeError` for a date that is none.
 */
export function writeCseFeedStart({ title, selfUrl, lastBuildDate, head }: CseFeedDescription): string {
  const children = head
    .map((xml) => ({ name: nameOf(xml), xml }))
    .filter(({ name }) => !ownNames.includes(name));
  const has = (name: string) => children.some((child) => child.name === name);
  const own = [
    element('title', title),
    ...(has('link') ? [] : [element('link', selfUrl)]),
    ...(has('description') ? [] : [element('description', title)]),
    ...(lastBuildDate === undefined ? [] : [element('lastBuildDate', rfc822Date(lastBuildDate))]),
    selfLink(selfUrl).xml,
  ];
  const declarations = writeDeclaration('atom', atomNamespace) + writeDeclaration('csx', cseNamespace);
  const start = `<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"${declarations}><channel>`;
  return start + own.join('') + children.map(({ xml }) => xml).join('');
}

/** The rest of a feed after its last item. */
export function writeCseFeedEnd(): string {
  return '</channel></rss>\n';
}

const ownNames: readonly string[] = ['title', 'lastBuildDate', 'item'];

/** The name of an element of RSS, which has no namespace; empty for any other. */
function nameOf(xml: string): string {
  const { namespace, name } = readTree(xml);
  return namespace === '' ? name : '';
}

function element(name: string, text: string): string {
  return `<${name}>${escapeText(text)}</${name}>`;
}
