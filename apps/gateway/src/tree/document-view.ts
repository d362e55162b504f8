import type { DocumentView } from '#contracts';
import type { CollectionKey, TreeDocument } from '#core';
import { documentState } from '#items';
import { fileUrl } from './tree-address.ts';

/** A document of a mirrored tree as it is shown. */
export function documentView(publicUrl: string, document: TreeDocument): DocumentView {
  const {
    collection,
    url,
    isFeed: nestedFeed,
    onDemand,
    isRequested,
    lastBuildDate,
    failure: reason,
    copy,
  } = document;
  return {
    url,
    nestedFeed,
    onDemand,
    isRequested,
    lastBuildDate,
    state: documentState(document),
    ...(reason && { reason }),
    ...(copy && { copy: copyView(publicUrl, collection, copy) }),
  };
}

function copyView(
  publicUrl: string,
  collection: CollectionKey,
  { lastBuildDate, length, type, digest }: NonNullable<TreeDocument['copy']>,
): NonNullable<DocumentView['copy']> {
  return {
    lastBuildDate,
    length,
    ...(type !== undefined && { type }),
    digest,
    url: fileUrl(publicUrl, collection, digest),
  };
}
