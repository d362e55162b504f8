import { parseUrl } from '#xml';
import { Tokenizer } from 'htmlparser2';

/** A feed that a page names. */
export interface FeedLink {
  /** Absolute. */
  readonly url: string;
  /** The media type without parameters, in lower case. */
  readonly type: string;
  readonly title?: string;
  /** Whether its address or title says that it is about comments. */
  readonly isOfComments: boolean;
}

const feedTypes: ReadonlySet<string> = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/rdf+xml',
  'application/feed+json',
  'application/json',
  'application/xml',
  'text/xml',
]);

/** How many feeds of a page are looked at, and how many are named. */
const maximumFound = 200;
const maximumLinks = 20;

/** How much of a page is read, in UTF-16 code units: more than what stands before its body. */
const readLength = 1_048_576;

/** How much of it one step reads. */
const pieceLength = 16_384;

/**
 * Returns the feeds that an HTML page names by `<link rel="alternate">`, in its order, each once; those of
 * comments last. Addresses are relative to its first `<base>`, wherever that is.
 * @param url the address of the page
 */
export function feedLinks(html: string, url: string): readonly FeedLink[] {
  const steps = feedLinkSteps(html, url);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Does what `feedLinks` does, in steps. */
export function* feedLinkSteps(html: string, url: string): Generator<void, readonly FeedLink[], void> {
  const named: { readonly href: string; readonly type: string; readonly title: string }[] = [];
  let base: string | undefined;
  yield* readTags(html.slice(0, readLength), (name, attributes) => {
    const href = attributes.get('href');
    if (name === 'base' && href !== undefined) base ??= absolute(href, url);
    const type = mediaTypeOf(attributes.get('type') ?? '');
    const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    const isFeed = name === 'link' && relations.includes('alternate') && feedTypes.has(type);
    if (!isFeed || href === undefined || named.length >= maximumFound) return;
    named.push({ href, type, title: attributes.get('title') ?? '' });
  });
  const found = new Map<string, FeedLink>();
  for (const { href, type, title } of named) {
    const address = absolute(href, base ?? url);
    if (address === undefined || found.has(address)) continue;
    const isOfComments = /comment/i.test(`${address} ${title}`);
    found.set(address, { url: address, type, ...(title !== '' && { title }), isOfComments });
  }
  return [...found.values()]
    .toSorted((one, other) => Number(one.isOfComments) - Number(other.isOfComments))
    .slice(0, maximumLinks);
}

function mediaTypeOf(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}

/** The elements that are read. */
const readNames: ReadonlySet<string> = new Set(['link', 'base']);

/**
 * Reads the start tags of a page that are of interest. How its elements nest is not: to keep track of those
 * that do not end takes time for all of them at each tag.
 */
function* readTags(
  html: string,
  take: (name: string, attributes: ReadonlyMap<string, string>) => void,
): Generator<void, void, void> {
  let name = '';
  let attributes = new Map<string, string>();
  let [attribute, value] = ['', ''];
  const ignore = (): void => {};
  const end = (): void => {
    if (readNames.has(name)) take(name, attributes);
  };
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname(start, behind) {
        name = html.slice(start, behind).toLowerCase();
        attributes = new Map();
      },
      onattribname(start, behind) {
        attribute = html.slice(start, behind).toLowerCase();
        value = '';
      },
      onattribdata(start, behind) {
        value += html.slice(start, behind);
      },
      onattribentity(code) {
        value += String.fromCodePoint(code);
      },
      onattribend() {
        if (readNames.has(name) && !attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: end,
      onselfclosingtag: end,
      onclosetag: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  for (let at = 0; at < html.length; at += pieceLength) {
    tokenizer.write(html.slice(at, at + pieceLength));
    yield;
  }
  tokenizer.end();
}

function absolute(href: string, base: string): string | undefined {
  const address = href
    .trim()
    .replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
    .replace(/^feed:/i, 'http:');
  return parseUrl(address, base)?.href;
}
