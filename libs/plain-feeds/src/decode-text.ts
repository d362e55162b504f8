import { createFeedDecoder, FeedError } from '#xml';
import type { Mending } from './mending.ts';

/**
 * A document's text: in the encoding that it says, else in that of its XML declaration, in UTF-8, or in
 * Windows-1252, in which every byte is a character.
 */
export function decodeText(
  bytes: Uint8Array,
  contentType: string | undefined,
): { readonly text: string; readonly isGuessed: boolean } {
  for (const [place, type] of [contentType, undefined, 'text/xml; charset=utf-8'].entries()) {
    const text = decoded(bytes, type);
    if (text !== undefined) return { text, isGuessed: place > 0 && type !== contentType };
  }
  return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: true };
}

function decoded(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  try {
    const decoder = createFeedDecoder(contentType);
    return decoder.write(bytes) + decoder.end();
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
}

const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A text without the characters that XML forbids (XML 1.0, 2.2), and with line feeds for line ends. */
export function withoutForbidden(text: string, mending: Mending): string {
  const place = text.search(forbidden);
  if (place >= 0) mending.add('character', place);
  return text.replace(/\r\n?/g, '\n').replace(forbidden, '');
}
