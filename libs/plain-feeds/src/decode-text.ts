import { createFeedDecoder, FeedError } from '#xml';

/**
 * A document's text: in the encoding that it says, else in that of its XML declaration, in UTF-8, in
 * Windows-1252, or with a character for every byte.
 */
export function decodeText(
  bytes: Uint8Array,
  contentType: string | undefined,
): { readonly text: string; readonly isGuessed: boolean } {
  const types = [
    contentType,
    undefined,
    ...['utf-8', 'windows-1252'].map((name) => `text/xml; charset=${name}`),
  ];
  for (const type of new Set(types)) {
    const text = decoded(bytes, type);
    if (text !== undefined && hasFeed.test(text)) return { text, isGuessed: type !== contentType };
  }
  return { text: new TextDecoder('latin1').decode(bytes), isGuessed: true };
}

/** What a feed, or a page, has at the least: in another encoding than its own it is not to be found. */
const hasFeed = /<(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel|html)[\s>]|^\uFEFF?\s*\{/i;

function decoded(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  try {
    const decoder = createFeedDecoder(contentType);
    return decoder.write(bytes) + decoder.end();
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
}
