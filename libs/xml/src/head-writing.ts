import { create } from 'xmlbuilder2';
import { escapeAttribute } from './escape.ts';
import { FeedError } from './feed-error.ts';
import type { FeedDescription } from './feed-description.ts';
import { atomNamespace } from './namespace.ts';
import type { Child } from './payload.ts';
import { rfc822Date } from './rfc822-date.ts';

type Builder = ReturnType<typeof create>;

/**
 * Returns the children of the head of a feed of ours, by RFC 4287 (4.1.1), RSS 2.0 or OPML 1.0. Throws
 * `FeedError` (rule `xml-character`) for text that XML can't hold.
 */
export function headChildren(description: FeedDescription): Child[] {
  return childrenOf[description.format](description);
}

const childrenOf = { atom: atomChildren, rss: rssChildren, opml: opmlChildren } as const;

function atomChildren({ title, id, selfUrl, updated, author, description }: FeedDescription): Child[] {
  const child = (name: string, build: (element: Builder) => Builder) => ({
    namespace: atomNamespace,
    name,
    xml: write(build(create().ele(name))),
  });
  return [
    child('title', (element) => element.txt(escaped(title))),
    ...(description === undefined ? [] : [child('subtitle', (element) => element.txt(escaped(description)))]),
    child('id', (element) => element.txt(escaped(id))),
    child('link', (element) => element.att({ rel: 'self', href: escaped(selfUrl) })),
    child('updated', (element) => element.txt(escaped(updated))),
    child('author', (element) => element.ele('name').txt(escaped(author))),
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

/** An element without a namespace that holds plain text. */
function plainChild(name: string, text: string): Child {
  return { namespace: '', name, xml: inHexadecimal(write(create().ele(name).txt(escaped(text)))) };
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

function write(element: Builder): string {
  try {
    return element.end({ headless: true, wellFormed: true });
  } catch (error) {
    throw new FeedError(
      {
        rule: 'xml-character',
        section: 'XML 1.0 2.2',
        message: "The description of the feed has a character that can't be written in XML.",
        line: 1,
        column: 1,
      },
      { cause: error },
    );
  }
}

// xmlbuilder2 escapes no tab and no line break, and takes what looks like a reference for one: `&nbsp;` in a
// title would make the feed ill-formed. It leaves references alone, so these characters come as references.
function escaped(text: string): string {
  return text.replace(/[&\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The best practices profile of RSS writes `&` and `<` in plain text in hexadecimal, which no reader takes
 * for markup.
 */
function inHexadecimal(xml: string): string {
  return xml.replaceAll('&#38;', '&#x26;').replaceAll('&lt;', '&#x3C;');
}
