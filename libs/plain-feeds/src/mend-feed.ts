import { FeedError, recognizeDocument } from '#xml';
import type { Violation } from '#xml';
import { atomForm } from './atom-form.ts';
import { balanceTags } from './balance-tags.ts';
import { decodeText } from './decode-text.ts';
import { forbiddenPlace, withoutForbidden } from './forbidden-characters.ts';
import { feedLinks } from './feed-links.ts';
import { jsonFeed } from './json-feed.ts';
import { isItemName } from './element-names.ts';
import { elementsOf } from './markup-tree.ts';
import type { MarkupElement } from './markup-tree.ts';
import { Mending } from './mending.ts';
import { localName, withDeclarations } from './namespaces.ts';
import { rssForm } from './rss-form.ts';
import { writeMarkup } from './write-markup.ts';

/** A feed that was mended, or brought into a format that synchronised feeds have. */
export interface MendedFeed {
  /** A well-formed feed of RSS 2.0 or Atom 1.0, in UTF-8. */
  readonly bytes: Uint8Array;
  /** What was wrong with it, as warnings. */
  readonly mended: readonly Violation[];
}

/** What is known of a document that is no feed by the rules. */
export interface BrokenDocument {
  /** The media type with its parameters, as the server sent it. */
  readonly contentType?: string | undefined;
  readonly url: string;
  /** What the strict reader says of it. */
  readonly error: FeedError;
  /** The namespaces of synchronisation data, with which a feed is read by the rules or not at all. */
  readonly synchronisation: readonly string[];
}

const referenceOfXml = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-f]+);)/i;

/**
 * Reads a plain feed that is broken, or in RSS 0.9x, RSS 1.0, Atom 0.3 or JSON Feed, and writes it as a feed
 * of RSS 2.0 or Atom 1.0.
 * @throws FeedError, the given one, for what is no feed or has synchronisation data; for an HTML page it
 *   names the page's feeds
 */
export function mendFeed(bytes: Uint8Array, document: BrokenDocument): MendedFeed {
  const { contentType, error, synchronisation } = document;
  const { text: decoded, isGuessed } = decodeText(bytes, contentType);
  const mending = new Mending(decoded);
  if (isGuessed) mending.add('encoding');
  const marked = decoded.replace(/^\uFEFF/, '');
  const place = forbiddenPlace(marked);
  if (place >= 0) mending.add('character', place);
  const text = withoutForbidden(marked).replace(/\r\n?/g, '\n');
  if (synchronisation.some((namespace) => text.includes(namespace))) throw error;
  const start = text.trimStart();
  const isJson = start.startsWith('{');
  const root = isJson ? jsonFeed(start) : feedRoot(text, mending);
  if (root === undefined)
    throw recognizeDocument(bytes).kind === 'html' ? withFeedLinks(document, text) : error;
  const written = withDeclarations(root, () => mending.add('prefix'));
  if (mending.isEmpty && !isJson && !formatRules.has(error.violation.rule)) mending.add('xml');
  return { bytes: new TextEncoder().encode(writeMarkup(written)), mended: mending.violations };
}

/** What is said of feeds that are only in another format, which is nothing to be mended. */
const formatRules: ReadonlySet<string> = new Set(['feed-root', 'feed-items']);

const feedRoots = /<(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel)[\s>]/i;

/** The root of a feed in XML in the form that it has in RSS 2.0 or Atom 1.0; undefined if there is none. */
function feedRoot(text: string, mending: Mending): MarkupElement | undefined {
  const start = text.search(feedRoots);
  if (start < 0 || /<html[\s>]/i.test(text.slice(0, start))) return undefined;
  if (!isProlog(text.slice(0, start))) mending.add('beginning');
  const offset = text.slice(start).search(referenceOfXml);
  if (offset >= 0 && !text.includes('<![CDATA[')) mending.add('reference', start + offset);
  const root = balanceTags(text.slice(start), mending);
  if (root === undefined || !hasItem(root)) return undefined;
  return localName(root.name).toLowerCase() === 'feed' ? atomForm(root, mending) : rssForm(root, mending);
}

/** What may stand before a root by the rules, and how long it may be to be looked at. */
const prolog = /^(?:\s|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\][^>]*)?>)*/i;
const prologLength = 4096;

function isProlog(text: string): boolean {
  return text.length <= prologLength && prolog.exec(text)?.[0].length === text.length;
}

/** Whether there is an item in the root, or in a channel of it: what is broken and has none is no feed. */
function hasItem(element: MarkupElement, depth = 0): boolean {
  return elementsOf(element).some(
    (child) => isItemName(localName(child.name)) || (depth === 0 && hasItem(child, 1)),
  );
}

/** The error for a page that was subscribed to, with the feeds that it names. */
function withFeedLinks({ url, error }: BrokenDocument, html: string): FeedError {
  const links = feedLinks(html, url);
  if (links.length === 0) return error;
  const named = links.map(({ url: address, title }) =>
    title === undefined ? address : `${address} (${title})`,
  );
  return new FeedError(
    {
      ...error.violation,
      message: `This is an HTML page, not a feed; it names these feeds: ${named.join(', ')}.`,
    },
    { cause: error },
  );
}
