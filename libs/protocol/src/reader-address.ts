import { nameOf } from '#core';
import type { Collection } from '#core';

/**
 * Where the feeds for feed readers stand, without a format: relative references in items that have no base
 * are for this place.
 */
export function readerAddress({ key }: Pick<Collection, 'key'>, publicUrl: string): string {
  return `${publicUrl}/feeds/${nameOf(key)}/reader`;
}
