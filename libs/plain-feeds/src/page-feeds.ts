import { decodeText } from './decode-text.ts';
import { feedLinkSteps } from './feed-links.ts';
import type { FeedLink } from './feed-links.ts';

const tagEnd = 0x3e;

/** An HTML page as it arrived; only its first `pageBytes` are read. */
interface HtmlPage {
  readonly bytes: Uint8Array;
  /** The media type with its parameters, as the server sent it. */
  readonly contentType?: string | undefined;
  readonly url: string;
}

/** How many bytes of a page are enough: more than what stands before its body. */
export const pageBytes = 1_048_576;

/** Types that are those of feeds alone. */
const ownTypes: ReadonlySet<string> = new Set([
  'application/atom+xml',
  'application/rss+xml',
  'application/feed+json',
]);

/**
 * Returns the feeds that an HTML page names by `<link rel="alternate">`, the best one to subscribe to first:
 * in the order of the page, but Atom, RSS and JSON Feed before types that other documents have as well,
 * those on the page's host before those elsewhere, and those of comments last. Yields after every step.
 * @param accepts which addresses are returned
 */
export function* pageFeeds(
  { bytes, contentType, url }: HtmlPage,
  accepts: (url: string) => boolean = () => true,
): Generator<void, readonly FeedLink[], void> {
  const { host } = new URL(url);
  const merit = ({ type, url: address, isOfComments }: FeedLink): number =>
    (isOfComments ? 0 : 4) + (ownTypes.has(type) ? 2 : 0) + (new URL(address).host === host ? 1 : 0);
  // What is cut off of a longer one may end in the middle of a character.
  const whole =
    bytes.length < pageBytes ? bytes : bytes.subarray(0, bytes.lastIndexOf(tagEnd, pageBytes - 1) + 1);
  const { text } = decodeText(whole, contentType);
  yield;
  const links = yield* feedLinkSteps(text, url);
  return links
    .filter(({ url: address }) => /^https?:/.test(address) && accepts(address))
    .toSorted((one, other) => merit(other) - merit(one));
}
