import { create } from 'xmlbuilder2';
import { FeedError } from './feed-error.ts';
import type { FeedHead, Sharing } from './feed.ts';
import { atomNamespace, formatNamespace, syncNamespace } from './namespace.ts';
import type { Child, Format } from './payload.ts';
import { rfc822Date } from './rfc822-date.ts';
import { declareOn, writeDeclaration } from './start-tag.ts';
import { readTree } from './tree.ts';

/** What we say of a feed of our own. */
export interface FeedDescription {
  readonly format: Format;
  readonly title: string;
  /** The feed's `atom:id`; RSS has no place for it. */
  readonly id: string;
  readonly selfUrl: string;
  /** RFC 3339. */
  readonly updated: string;
  /** The name of the author of entries that have none; RSS has no place for it. */
  readonly author: string;
  readonly description?: string;
  readonly sharing?: Sharing;
  /** Foreign markup to republish (2.1.7): elements, each as XML that stands on its own. */
  readonly markup?: readonly string[];
}

type Builder = ReturnType<typeof create>;

/**
 * The head of a feed of our own, valid by RFC 4287 (4.1.1) or RSS 2.0. Throws `FeedError` for text that XML can't hold (rule
 * `xml-character`) and for markup that is not well-formed.
 */
export function describeFeed(description: FeedDescription): FeedHead {
  const { format, title, sharing, markup = [] } = description;
  const namespaces = format === 'atom' ? [['', atomNamespace] as const] : [];
  const own = format === 'atom' ? atomChildren(description) : rssChildren(description);
  const children = [...own, ...markup.map(foreignChild)];
  return { format, title, ...(sharing !== undefined && { sharing }), children, scope: { namespaces }, breaches: [] };
}

/**
 * A feed up to its first item. Atom is the default namespace of an Atom feed; an RSS feed has none; `sx` is FeedSync's in both.
 * `head.sharing` is written: leave it out of a head that was read from another publisher (2.2).
 */
export function writeFeedStart(head: FeedHead): string {
  const sync = writeDeclaration('sx', syncNamespace);
  const root = head.format === 'atom' ? `<feed${writeDeclaration('', atomNamespace)}${sync}>` : `<rss version="2.0"${sync}><channel>`;
  const needed = { ...head.scope, namespaces: neededBindings(head) };
  const children = head.children.map((child) => declareOn(child.xml, needed)).join('');
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}${children}${head.sharing === undefined ? '' : writeSharing(head.sharing)}`;
}

/** The rest of a feed after its last item. */
export function writeFeedEnd(format: Format): string {
  return format === 'atom' ? '</feed>\n' : '</channel></rss>\n';
}

/** The bindings that the root does not give to the children of a head. */
function neededBindings({ format, scope }: FeedHead): (readonly [string, string])[] {
  const inForce = new Map([['', formatNamespace(format)], ['sx', syncNamespace]]);
  return [...new Map([['', ''], ...scope.namespaces])].filter(([prefix, namespace]) => inForce.get(prefix) !== namespace);
}

function foreignChild(xml: string): Child {
  const { namespace, name } = readTree(xml);
  return { namespace, name, xml };
}

function atomChildren({ title, id, selfUrl, updated, author, description }: FeedDescription): Child[] {
  const child = (name: string, build: (element: Builder) => Builder) => ({ namespace: atomNamespace, name, xml: write(build(create().ele(name))) });
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
  const child = (name: string, text: string) => ({ namespace: '', name, xml: write(create().ele(name).txt(escaped(text))) });
  const self = write(create().ele(atomNamespace, 'link', { rel: 'self', type: 'application/rss+xml', href: escaped(selfUrl) }));
  return [
    child('title', title),
    child('link', selfUrl),
    child('description', description ?? title),
    child('lastBuildDate', rfc822Date(updated)),
    { namespace: atomNamespace, name: 'link', xml: self },
  ];
}

function writeSharing({ since, until, expires, related }: Sharing): string {
  const given = Object.entries({ since, until, expires }).flatMap(([name, value]) => (value === undefined ? [] : [[name, escaped(value)] as const]));
  const element = create().ele(syncNamespace, 'sx:sharing', Object.fromEntries(given));
  for (const { link, type, title } of related) {
    element.ele(syncNamespace, 'sx:related', { link: escaped(link), type, ...(title !== undefined && { title: escaped(title) }) });
  }
  return write(element);
}

function write(element: Builder): string {
  try {
    return element.end({ headless: true, wellFormed: true });
  } catch (error) {
    throw new FeedError({ rule: 'xml-character', section: 'XML 1.0 2.2', message: "The description of the feed has a character that can't be written in XML.", line: 1, column: 1 }, { cause: error });
  }
}

// xmlbuilder2 escapes no tab and no line break, and takes what looks like a reference for one: `&nbsp;` in a title would make the
// feed ill-formed. It leaves references alone, so these characters come as references.
function escaped(text: string): string {
  return text.replace(/[&\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
