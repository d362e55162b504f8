import { atomNamespace } from './namespace.ts';

/** What a document is, as far as its beginning shows. */
export interface DocumentKind {
  readonly kind: KindName;
  /** What to call it in a sentence, such as `an HTML page`. */
  readonly name: string;
  /** Whether Feedmesh reads such documents as feeds: Atom 1.0, RSS 0.91 to 2.0 and OPML. */
  readonly isFeed: boolean;
}

type KindName = FeedKind | 'atom-0.3' | 'atom-entry' | 'rdf' | 'json-feed' | OtherKind;
type FeedKind = 'atom' | 'rss' | 'opml';
type OtherKind = 'json' | 'html' | 'sitemap' | 'xml' | 'text' | 'binary' | 'empty';

/** How many bytes are looked at: more than what usually stands before the root. */
export const recognizedBytes = 4096;

/** What other files begin with. */
const signatures: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0x1f, 0x8b], 'gzip data'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0x89, 0x50, 0x4e, 0x47], 'a PNG image'],
  [[0x47, 0x49, 0x46, 0x38], 'a GIF image'],
  [[0xff, 0xd8, 0xff], 'a JPEG image'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive'],
];

const rssVersion = /\sversion\s*=\s*["']\s*([0-9.]{1,8})\s*["']/;
const rdfNamespace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** Of RSS 1.0, and of RSS 0.90, which is RDF too. */
const rdfFeeds: readonly (readonly [namespace: string, name: string])[] = [
  ['http://purl.org/rss/1.0/', 'an RSS 1.0 feed (RDF)'],
  ['http://my.netscape.com/rdf/simple/0.9/', 'an RSS 0.90 feed (RDF)'],
];
const oldAtomNamespace = 'http://purl.org/atom/ns#';
/** Elements that a piece of HTML begins with, such as an error message before or instead of a feed. */
const htmlElements = new Set(
  'html head body title meta link script style div span p br b a h1 h2 center font table pre'.split(' '),
);

/**
 * Says what a document is by its first bytes; no more than `recognizedBytes` are looked at. Nothing is
 * checked: what begins as an RSS feed is one.
 */
export function recognizeDocument(beginning: Uint8Array): DocumentKind {
  const bytes = beginning.subarray(0, recognizedBytes);
  const signature = signatures.find(([first]) => first.every((byte, index) => bytes[index] === byte));
  if (signature !== undefined) return other('binary', signature[1]);
  const text = textOf(bytes).trimStart();
  if (text === '') return other('empty', 'an empty document');
  if (text.includes('\0')) return other('binary', 'binary data');
  if (text.startsWith('{') || text.startsWith('[')) return recognizeJson(text);
  return text.startsWith('<') ? recognizeMarkup(text) : other('text', 'plain text');
}

/** Names of elements are ASCII, so any encoding but UTF-16 can be read as UTF-8 here. */
function textOf(bytes: Uint8Array): string {
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0 && bytes[1] === 0x3c))
    return new TextDecoder('utf-16be').decode(bytes);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0x3c && bytes[1] === 0))
    return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder().decode(bytes);
}

function recognizeJson(text: string): DocumentKind {
  // The version may stand after the items, beyond the bytes looked at.
  const hasVersion = /"version"\s*:\s*"https?:(?:\\?\/){2}jsonfeed\.org/.test(text);
  const isFeed = hasVersion || (text.includes('"home_page_url"') && text.includes('"items"'));
  return isFeed ? other('json-feed', 'a JSON Feed') : other('json', 'JSON');
}

function recognizeMarkup(text: string): DocumentKind {
  const { root, isHtmlDoctype } = rootOf(text);
  if (root === undefined)
    return isHtmlDoctype ? other('html', 'an HTML page') : other('xml', 'an XML document');
  const [, prefix = '', local = ''] = /^<(?:([^\s/>:]*):)?([^\s/>]*)/.exec(root) ?? [];
  const namespace = declared(root, prefix);
  if (isHtmlDoctype || htmlElements.has(local.toLowerCase())) return other('html', 'an HTML page');
  switch (local) {
    case 'feed':
      if (namespace === atomNamespace) return feed('atom', 'an Atom feed');
      if (namespace === oldAtomNamespace) return other('atom-0.3', 'an Atom 0.3 feed');
      break;
    case 'entry':
      if (namespace === atomNamespace) return other('atom-entry', 'a single Atom entry');
      break;
    case 'rss':
      return feed('rss', `an RSS ${rssVersion.exec(root)?.[1] ?? '2.0'} feed`);
    case 'opml':
      return feed('opml', 'an OPML document');
    case 'RDF':
      if (namespace !== rdfNamespace) break;
      return other('rdf', rdfFeeds.find(([uri]) => text.includes(uri))?.[1] ?? 'an RDF document');
    case 'urlset':
    case 'sitemapindex':
      return other('sitemap', 'a sitemap');
    default:
  }
  return other('xml', `an XML document with the root ${JSON.stringify(local.slice(0, 60))}`);
}

/** Finds the start tag of the root, or as much of it as there is; absent if the text ends before it. */
function rootOf(text: string): { readonly root?: string; readonly isHtmlDoctype: boolean } {
  let isHtmlDoctype = false;
  for (let at = 0; ;) {
    const rest = text.slice(at).trimStart();
    const start = text.length - rest.length;
    const end = prologEnd(rest);
    if (end === undefined)
      return { ...(/^<[^!?]/.test(rest) && { root: rest.split('>', 1)[0] ?? rest }), isHtmlDoctype };
    isHtmlDoctype ||= /^<!doctype\s+html[\s>[]/i.test(rest);
    if (end < 0) return { isHtmlDoctype };
    at = start + end;
  }
}

const prologTerminators: readonly (readonly [start: RegExp, terminator: string])[] = [
  [/^<!--/, '-->'],
  [/^<\?/, '?>'],
  [/^<!doctype/i, '>'],
];

/**
 * Returns where the comment, processing instruction or document type that a text begins with ends: -1 if the
 * text ends before it, undefined if there is none.
 */
function prologEnd(text: string): number | undefined {
  const terminator = prologTerminators.find(([start]) => start.test(text))?.[1];
  if (terminator === undefined) return undefined;
  const subset = terminator === '>' ? /^[^>]*\[/.exec(text)?.[0].length : undefined;
  const from = subset === undefined ? 0 : text.indexOf(']', subset);
  const found = from < 0 ? -1 : text.indexOf(terminator, from);
  return found < 0 ? -1 : found + terminator.length;
}

function declared(root: string, prefix: string): string | undefined {
  for (const [, name = '', inDouble, inSingle] of root.matchAll(
    /\sxmlns(?::([^\s=]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    if (name === prefix) return inDouble ?? inSingle;
  return undefined;
}

function feed(kind: KindName, name: string): DocumentKind {
  return { kind, name, isFeed: true };
}

function other(kind: KindName, name: string): DocumentKind {
  return { kind, name, isFeed: false };
}
