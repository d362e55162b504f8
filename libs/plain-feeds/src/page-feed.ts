import { decodeText } from './decode-text.ts';
import { feedLinks } from './feed-links.ts';
import type { FeedLink } from './feed-links.ts';

/** An HTML page as it arrived. */
interface HtmlPage {
  readonly bytes: Uint8Array;
  /** The media type with its parameters, as the server sent it. */
  readonly contentType?: string | undefined;
  readonly url: string;
}

/** Types that are those of feeds alone. */
const ownTypes: ReadonlySet<string> = new Set([
  'application/atom+xml',
  'application/rss+xml',
  'application/feed+json',
]);

/**
 * Returns the feed of an HTML page to subscribe to: of those that it names by `<link rel="alternate">` the
 * first one, but one of Atom, RSS or JSON Feed before one of a type that other documents have as well, one
 * on the page's host before one elsewhere, and one of comments last. Returns undefined if there is none.
 * @param accepts which addresses may be chosen
 */
export function pageFeed(
  { bytes, contentType, url }: HtmlPage,
  accepts: (url: string) => boolean = () => true,
): FeedLink | undefined {
  const { host } = new URL(url);
  const merit = ({ type, url: address, isOfComments }: FeedLink): number =>
    (isOfComments ? 0 : 4) + (ownTypes.has(type) ? 2 : 0) + (new URL(address).host === host ? 1 : 0);
  const [best] = feedLinks(decodeText(bytes, contentType).text, url)
    .filter(({ url: address }) => /^https?:/.test(address) && accepts(address))
    .toSorted((one, other) => merit(other) - merit(one));
  return best;
}
