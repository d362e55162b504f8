import { fieldsOfPayload, readPayload } from '#xml';
import type { ItemFields } from '#xml';
import { feedAddress } from '#items';
import type { DownloadFailure } from '#cse';
import type { TreeDocument, TreeFeed } from '#core';
import { documentState } from './document-state.ts';
import type { DocumentState } from './document-state.ts';

/** A feed of a tree as it is shown. */
export interface TreeFeedView {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly link?: string;
  /** Where it is published. */
  readonly url: string;
  /** Where it is mirrored from. */
  readonly source?: string;
  /** Absent while nothing was published in it or below it. */
  readonly lastBuildDate?: Date;
  readonly createdAt: Date;
  /** `cached` of a feed of our own. */
  readonly state: DocumentState;
  /** Why it, or its newer version, could not be had. */
  readonly reason?: DownloadFailure;
}

/**
 * @param document what the cache of a mirror says of the feed; undefined where it says nothing, as of a feed
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
    ...(publishedAt && { lastBuildDate: publishedAt }),
    createdAt,
    state: document === undefined ? 'cached' : documentState(document),
    ...(document?.failure && { reason: document.failure }),
  };
}

/** The children of a channel as plain values: they have the names and forms of those of an item. */
export function headFields(head: readonly string[]): ItemFields {
  return fieldsOfPayload(readPayload(`<item>${head.join('')}</item>`));
}
