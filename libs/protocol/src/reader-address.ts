import type { Collection } from '#core';

/**
 * Where the feeds for feed readers stand, without a format: relative references in items that have no base
 * are for this place.
 */
export function readerAddress({ name }: Pick<Collection, 'name'>, publicUrl: string): string {
  return `${publicUrl}/feeds/${name}/reader`;
}
