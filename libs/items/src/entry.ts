import type { Format } from '#feed-xml';
import type { Collection, StoredItem } from '#ports';
import { publisherData } from './identity.ts';
import { protocols } from './protocols.ts';

/**
 * The item as it stands in our feed of this format, its conflicts too, with the publisher-specific data of this endpoint
 * (FeedSync, Implementation Notes, Note 1). Throws `FeedError` of rule `format-fixed` for a format that the protocol has no way to.
 * @param publicUrl where this endpoint is reached, without a slash at its end
 */
export function entryIn(format: Format, collection: Collection, { content, updatedAt }: Pick<StoredItem, 'content' | 'updatedAt'>, publicUrl: string): string {
  const protocol = protocols[collection.protocol];
  const written = format === collection.format ? content : protocol.withPayloads(content, (payload) => protocol.payloadIn(payload, format));
  return protocol.write(written, publisherData(collection, content, publicUrl, updatedAt));
}
