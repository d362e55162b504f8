import type { Format } from '#xml';
import { sharedContent } from '#core';
import type { Collection, Steps, StoredItem } from '#core';
import { publisherData } from '#protocol';
import { isFeedTree, sharingProtocolOf } from '#protocols';

/**
 * The item as it stands in our feed of this format, its conflicts too, with the publisher-specific data of
 * this endpoint (FeedSync, Implementation Notes, Note 1). Empty in a tree of feeds, where an item is written
 * with the feed that it stands in. Yields between its two steps.
 * @param publicUrl where this endpoint is reached, without a slash at its end
 * @param called what the item is called in our feeds, if that is not to be made of its id
 * @throws FeedError of rule `format-fixed` for a format that the protocol has no way to, of rule
 *   `xml-character` for text that XML can't hold
 */
export function* renderedXml(
  format: Format,
  collection: Collection,
  { content, updatedAt }: Pick<StoredItem, 'content' | 'updatedAt'>,
  publicUrl: string,
  called?: string,
): Steps<string> {
  if (isFeedTree(collection)) return '';
  const protocol = sharingProtocolOf(collection);
  const native = sharedContent(content);
  const written =
    format === collection.format
      ? native
      : protocol.withPayloads(native, (payload) => protocol.payloadIn(payload, format));
  yield;
  return protocol.write(
    written,
    publisherData(collection, protocol.summary(native), publicUrl, updatedAt, called),
  );
}
