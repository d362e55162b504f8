import { convertPayload } from '#feed-xml';
import type { Format } from '#feed-xml';
import type { Collection, StoredItem } from '#ports';
import { everyPayload } from './adapt-item.ts';
import { publisherData } from './identity.ts';
import { protocols } from './protocols.ts';

/**
 * The item as it stands in our feed of this format, its conflicts too, with the publisher-specific data of this endpoint
 * (Implementation Notes, Note 1).
 * @param publicUrl where this endpoint is reached, without a slash at its end
 */
export function entryIn(format: Format, collection: Collection, { content, updatedAt }: Pick<StoredItem, 'content' | 'updatedAt'>, publicUrl: string): string {
  const written = everyPayload(content, (payload) => convertPayload(payload, format));
  return protocols[collection.protocol].write(written, publisherData(collection, content, publicUrl, updatedAt));
}
