import { escapeAttribute, escapeText } from './escape.ts';
import type { FeedDescription } from './feed-description.ts';
import { atomNamespace } from './namespace.ts';
import type { Child } from './payload.ts';
import { rfc822Date } from './rfc822-date.ts';

/**
 * Returns the children of the head of a feed of ours, by RFC 4287 (4.1.1), RSS 2.0 or OPML 1.0. Throws
 * `FeedError` (rule `xml-character`) for text that XML can't hold.
 */
export function headChildren(description: FeedDescription): Child[] {
  return childrenOf[description.format](description);
}

const childrenOf = { atom: atomChildren, rss: rssChildren, opml: opmlChildren } as const;

function atomChildren({ title, id, selfUrl, updated, author, description }: FeedDescription): Child[] {
  const child = (name: string, xml: string): Child => ({ namespace: atomNamespace, name, xml });
  const text = (name: string, value: string): Child => child(name, element(name, escaped(value)));
  return [
    text('title', title),
    ...(description === undefined ? [] : [text('subtitle', description)]),
    text('id', id),
    child('link', `<link rel="self" href="${escaped(selfUrl).replaceAll('"', '&quot;')}"/>`),
    text('updated', updated),
    child('author', element('author', element('name', escaped(author)))),
  ];
}

function rssChildren({ title, selfUrl, updated, description }: FeedDescription): Child[] {
  return [
    plainChild('title', title),
    plainChild('link', selfUrl),
    plainChild('description', description ?? title),
    plainChild('lastBuildDate', rfc822Date(updated)),
    selfLink(selfUrl),
  ];
}

function opmlChildren({ title, updated }: FeedDescription): Child[] {
  return [plainChild('title', title), plainChild('dateModified', rfc822Date(updated))];
}

/**
 * An element without a namespace that holds plain text. The best practices profile of RSS writes `&` and `<`
 * there in hexadecimal, which no reader takes for markup.
 */
function plainChild(name: string, text: string): Child {
  const plain = escaped(text).replaceAll('&#38;', '&#x26;').replaceAll('&lt;', '&#x3C;');
  return { namespace: '', name, xml: element(name, plain) };
}

/**
 * Where an RSS feed itself stands, to be put where `atom` is bound to Atom's namespace. Throws `FeedError`
 * (rule `xml-character`).
 */
export function selfLink(url: string): Child {
  return {
    namespace: atomNamespace,
    name: 'link',
    xml: `<atom:link rel="self" type="application/rss+xml" href="${escapeAttribute(url)}"/>`,
  };
}

function element(name: string, content: string): string {
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

/** A text as content or as the value of an attribute, in which a reader takes no white space for another. */
function escaped(text: string): string {
  return escapeText(text)
    .replaceAll('&amp;', '&#38;')
    .replace(/[\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
