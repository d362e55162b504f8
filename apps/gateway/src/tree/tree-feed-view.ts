import type { TreeFeedView } from '#contracts';
import { fieldsOfPayload, readPayload } from '#xml';
import type { ItemFields } from '#xml';
import { feedAddress } from '#cse';
import type { TreeDocument, TreeFeed } from '#core';
import { documentState } from '#items';

/**
 * A feed of a tree as it is shown.
 * @param document what the cache of a mirror says of the feed; undefined if it says nothing, as of a feed
 * of our own
 */
export function treeFeedView(
  publicUrl: string,
  { collection, id, title, head, url: source, publishedAt, createdAt }: TreeFeed,
  document?: TreeDocument,
): TreeFeedView {
  const { content, link } = headFields(head);
  return {
    id,
    title,
    ...(content !== undefined && { description: content }),
    ...(link !== undefined && { link }),
    url: feedAddress(publicUrl, collection, id),
    ...(source !== undefined && { source }),
    ...(publishedAt && { lastBuildDate: publishedAt.toISOString() }),
    createdAt: createdAt.toISOString(),
    state: document === undefined ? 'cached' : documentState(document),
    ...(document?.failure && { reason: document.failure }),
  };
}

/** The children of a channel as plain values: they have the names and forms of those of an item. */
export function headFields(head: readonly string[]): ItemFields {
  return fieldsOfPayload(readPayload(`<item>${head.join('')}</item>`));
}
