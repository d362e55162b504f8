import { nameOf } from '#core';
import type { Collection } from '#core';

/** The window of the latest changes, or all items (FeedSync 4, SSE 2.2.1). */
export type FeedVariant = 'partial' | 'complete';

/** Where a collection's feed in a format is. */
export function feedUrl(
  publicUrl: string,
  { key, format }: Pick<Collection, 'key' | 'format'>,
  variant: FeedVariant,
): string {
  return variant === 'partial'
    ? `${publicUrl}/feeds/${nameOf(key)}.${format}`
    : `${publicUrl}/feeds/${nameOf(key)}/complete.${format}`;
}
