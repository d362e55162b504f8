import { createHash } from 'node:crypto';
import { FeedError, recognizeDocument } from '#xml';
import type { Fragment, Violation } from '#xml';
import { AtomForm } from './atom-form.ts';
import { balanceTags } from './balance-tags.ts';
import { decodeText } from './decode-text.ts';
import type { FeedForm } from './feed-form.ts';
import { FeedText } from './feed-text.ts';
import { forbiddenPlace, withLineFeeds, withoutForbidden } from './forbidden-characters.ts';
import { feedLinks } from './feed-links.ts';
import { jsonFeed } from './json-feed.ts';
import { isItemName } from './element-names.ts';
import { elementsOf } from './markup-tree.ts';
import type { MarkupElement } from './markup-tree.ts';
import { Mending } from './mending.ts';
import { localName, prefixesIn, UndeclaredPrefixes } from './namespaces.ts';
import { RssForm } from './rss-form.ts';

/** A feed that was mended, or brought into a format that synchronised feeds have. */
export interface MendedFeed {
  /** A well-formed feed of RSS 2.0 or Atom 1.0, in UTF-8, in pieces of any length. */
  readonly pieces: readonly Uint8Array[];
  /** What was wrong with it, as warnings. */
  readonly mended: readonly Violation[];
  /** The items that are too long, which it is without. */
  readonly refused: readonly Fragment[];
}

/** What is known of a document that is no feed by the rules. */
export interface BrokenDocument {
  /** The media type with its parameters, as the server sent it. */
  readonly contentType?: string | undefined;
  readonly url: string;
  /** What the strict reader says of it. */
  readonly error: FeedError;
  /** How long an item may be, in UTF-16 code units. */
  readonly itemLength: number;
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
  const { contentType, error, synchronisation, itemLength } = document;
  const { text: decoded, fault } = decodeText(bytes, contentType);
  const mending = new Mending(decoded);
  if (fault !== undefined) mending.add(fault, Math.max(0, decoded.indexOf('\uFFFD')));
  const marked = decoded.replace(/^\uFEFF/, '');
  const place = forbiddenPlace(marked);
  if (place >= 0) mending.add('character', place);
  const text = withLineFeeds(withoutForbidden(marked));
  if (synchronisation.some((namespace) => text.includes(namespace))) throw error;
  const start = text.trimStart();
  const isJson = start.startsWith('{');
  const refused: Fragment[] = [];
  const written = isJson
    ? writtenJson(start)
    : writtenFeed(text, mending, { itemLength, refuse: (item) => void refused.push(item) });
  if (written === undefined)
    throw recognizeDocument(bytes).kind === 'html' ? withFeedLinks(document, text) : error;
  if (mending.isEmpty && !isJson && !formatRules.has(error.violation.rule)) mending.add('xml');
  return { pieces: written, mended: mending.violations, refused };
}

/** What is said of feeds that are only in another format, which is nothing to be mended. */
const formatRules: ReadonlySet<string> = new Set(['feed-root', 'feed-items']);

const feedRoots = /<(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel)[\s>]/i;

type WrittenFeed = readonly Uint8Array[] | undefined;

/** A feed in XML in the form that it has in RSS 2.0 or Atom 1.0; undefined if there is none. */
function writtenFeed(
  text: string,
  mending: Mending,
  { itemLength, refuse }: { readonly itemLength: number; readonly refuse: (item: Fragment) => void },
): WrittenFeed {
  const start = text.search(feedRoots);
  if (start < 0 || /<html[\s>]/i.test(text.slice(0, start))) return undefined;
  if (!isProlog(text.slice(0, start))) mending.add('beginning');
  const offset = text.slice(start).search(referenceOfXml);
  if (offset >= 0 && !text.includes('<![CDATA[')) mending.add('reference', start + offset);
  const prefixes = new UndeclaredPrefixes();
  const items = new FeedText();
  let form: FeedForm | undefined;
  let hasRefused = false;
  const root = balanceTags(text.slice(start), mending, {
    itemLength,
    take: (item, around) => {
      form ??= formOf(around[0] ?? item, mending);
      const written = form.item(item, around);
      if (written === undefined) return false;
      prefixes.collect(written, prefixesIn(around));
      items.add(written);
      return true;
    },
    refuse: (from, to, limit) => {
      hasRefused = true;
      refuse(refusedItem(text.slice(start + from, start + to), mending.placeOf(start + from), limit));
    },
  });
  if (root === undefined || (items.isEmpty && !hasRefused && !hasItem(root))) return undefined;
  form ??= formOf(root, mending);
  const feed = form.feed(root);
  prefixes.collect(feed);
  if (!prefixes.isEmpty) mending.add('prefix');
  return items.end(prefixes.declaredOn(feed), form.depth);
}

function refusedItem(
  xml: string,
  place: Pick<Violation, 'line' | 'column'>,
  { rule, message }: Pick<Violation, 'rule' | 'message'>,
): Fragment {
  const digest = createHash('sha256').update(xml).digest('base64url');
  const violation = { rule, section: 'limits', severity: 'error', message, ...place } as const;
  return { xml: '', ...place, refusal: { violation, digest } };
}

function formOf(root: MarkupElement, mending: Mending): FeedForm {
  const isAtom = localName(root.name).toLowerCase() === 'feed';
  return isAtom ? new AtomForm(root, mending) : new RssForm(root, mending);
}

function writtenJson(text: string): WrittenFeed {
  const entries = new FeedText();
  const feed = jsonFeed(text, (entry) => entries.add(entry));
  if (feed === undefined) return undefined;
  return entries.end(feed, 1);
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
