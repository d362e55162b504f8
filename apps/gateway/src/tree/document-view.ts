import type { TreeDocument } from '#core';
import { documentState } from './document-state.ts';
import type { DocumentState } from './document-state.ts';
import { fileUrl } from './tree-address.ts';

/** A document of a mirrored tree as it is shown. */
export interface DocumentView extends Pick<
  TreeDocument,
  'url' | 'onDemand' | 'isRequested' | 'lastBuildDate'
> {
  readonly nestedFeed: boolean;
  readonly state: DocumentState;
  /** Why it, or its newer version, could not be had. */
  readonly reason?: TreeDocument['failure'];
  /** What we have of it: `lastBuildDate` is what it is in step with, `url` where it is. */
  readonly copy?: {
    readonly lastBuildDate: string;
    readonly length: number;
    readonly type?: string;
    readonly digest: string;
    readonly url: string;
  };
}

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
  collection: string,
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
