import type { SaxesTagNS } from 'saxes';

/** How long `id` and `by` may be, in UTF-16 code units; FeedSync 2.1.3 allows such a limit. */
export const maximumIdentifierLength = 4096;

/**
 * Returns the `id` of an `sx:sync`; undefined if it is too long, which no item's is. It is a copy: V8 keeps
 * the text that a string was cut from for as long as the string.
 */
export function identifierIn({ attributes }: SaxesTagNS): string | undefined {
  const id = attributes['id']?.value;
  if (id === undefined || id === '' || id.length > maximumIdentifierLength) return undefined;
  return Buffer.from(id).toString();
}
