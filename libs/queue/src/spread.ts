import { crc32 } from 'node:zlib';
import type { CollectionKey } from '#core';

/**
 * The one of so many places, numbered from 0, that a collection belongs to: the CRC-32 of its name modulo
 * their number.
 */
export function placeOf(collection: CollectionKey, places: number): number {
  return crc32(collection) % places;
}
