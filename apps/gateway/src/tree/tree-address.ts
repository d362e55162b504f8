import { nameOf } from '#core';
import type { CollectionKey } from '#core';

/** Where the bytes with this digest are published; a link's address ends in a name besides. */
export function fileUrl(publicUrl: string, collection: CollectionKey, digest: string): string {
  return `${publicUrl}/files/${nameOf(collection)}/${digest}`;
}
