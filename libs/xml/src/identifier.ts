import type { SaxesTagNS } from 'saxes';

/** How long `id` and `by` may be, in UTF-16 code units; FeedSync 2.1.3 allows such a limit. */
export const maximumIdentifierLength = 4096;

/**
 * The `id` of an `sx:sync` as far as it distinguishes items; undefined for one that is too long, which no
 * item can have.
 */
export function identifierIn({ attributes }: SaxesTagNS): string | undefined {
  const id = attributes['id']?.value;
  return id === undefined || id === '' || id.length > maximumIdentifierLength ? undefined : id;
}
