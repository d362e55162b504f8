import { createFeedDecoder, FeedError, namedEncoding } from '#xml';

/**
 * The text of a document, and what was wrong with its bytes: nothing, some of them (U+FFFD stands for each
 * fault), or the encoding that it names.
 */
interface DecodedText {
  readonly text: string;
  readonly fault?: 'bytes' | 'encoding';
}

/**
 * Decodes a document in the encoding that it names, if all of its bytes are valid in that. One that names
 * UTF-8, or is UTF-8 but for a few bytes, is read as that all the same, so that one damaged character changes
 * no other. All others are windows-1252.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): DecodedText {
  const named = decoded(bytes, contentType);
  if (named !== undefined) return { text: named };
  const utf8 = new TextDecoder('utf-8').decode(bytes);
  const damaged = hasFeed.test(utf8) ? ({ text: utf8, fault: 'bytes' } as const) : undefined;
  if (damaged !== undefined && isMostlyUtf8(utf8)) return damaged;
  const declared = decoded(bytes, undefined);
  if (declared !== undefined) return { text: declared, fault: 'encoding' };
  if (damaged !== undefined && /^utf-?8$/i.test(namedEncoding(bytes, contentType) ?? '')) return damaged;
  const western = decoded(bytes, 'text/xml; charset=windows-1252');
  return { text: western ?? new TextDecoder('latin1').decode(bytes), fault: 'encoding' };
}

/** What a feed, or a page, has at the least: in another encoding than its own it is not to be found. */
const hasFeed = /<(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel|html)[\s>]|^\uFEFF?\s*\{/i;

/** Whether a text that was read as UTF-8 has no more faults than characters beyond ASCII. */
function isMostlyUtf8(text: string): boolean {
  let balance = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) balance += code === 0xfffd ? -1 : 1;
  }
  return balance >= 0;
}

function decoded(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  try {
    const decoder = createFeedDecoder(contentType);
    const text = decoder.write(bytes) + decoder.end();
    return hasFeed.test(text) ? text : undefined;
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
}
