import { parseUrl } from '#xml';
import { Parser } from 'htmlparser2';

/** A feed that a page names. */
export interface FeedLink {
  /** Absolute. */
  readonly url: string;
  /** The media type, in lower case. */
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
]);

/** How many feeds of a page are named. */
const maximumLinks = 20;

/**
 * The feeds that an HTML page names by `<link rel="alternate">`, in its order, each once; those of comments
 * come last.
 * @param url the address of the page
 */
export function feedLinks(html: string, url: string): readonly FeedLink[] {
  const found = new Map<string, FeedLink>();
  let base = url;
  const parser = new Parser({
    onopentag(name, { rel = '', type: written = '', href, title }) {
      if (name === 'base' && href !== undefined) base = absolute(href, url) ?? base;
      const type = written.trim().toLowerCase();
      const isFeed = rel.toLowerCase().split(/\s+/).includes('alternate') && feedTypes.has(type);
      const address = name === 'link' && isFeed && href !== undefined ? absolute(href, base) : undefined;
      if (address === undefined || found.has(address)) return;
      const isOfComments = /comment/i.test(`${address} ${title ?? ''}`);
      const named = title === undefined || title === '' ? {} : { title };
      found.set(address, { url: address, type, ...named, isOfComments });
    },
  });
  parser.end(html);
  return [...found.values()]
    .toSorted((one, other) => Number(one.isOfComments) - Number(other.isOfComments))
    .slice(0, maximumLinks);
}

function absolute(href: string, base: string): string | undefined {
  const address = href
    .trim()
    .replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
    .replace(/^feed:/i, 'http:');
  return parseUrl(address, base)?.href;
}
