import { describeItem, fieldsOfPayload } from '#xml';
import type { ItemDescription, ItemFields } from '#xml';
import type { TreeContent, TreeLink } from '#core';
import { treeItemId } from './tree-item-id.ts';

/** A csx:link as other programs see it. */
interface CseLinkJson extends Pick<TreeLink, 'url' | 'nestedFeed' | 'onDemand'> {
  /** The id of the feed of this tree that it leads to. */
  readonly feed?: string;
  /** The file of this collection that it leads to. */
  readonly file?: {
    readonly digest: string;
    readonly name: string;
    readonly length: number;
    readonly type?: string;
  };
}

/** An item of a tree of feeds as the HTTP interface and the command line show it. */
export interface CseItemJson extends ItemFields, ItemDescription {
  readonly id: string;
  /** The id of the feed that it stands in. */
  readonly feed: string;
  readonly guid: string;
  readonly hidden: boolean;
  readonly deleted: boolean;
  readonly version: number;
  /** In document order. */
  readonly links: readonly CseLinkJson[];
}

/** The JSON form of an item of a tree. */
export function cseItemJson({ feed, guid, hidden, deleted, version, data, links }: TreeContent): CseItemJson {
  return {
    id: treeItemId(feed, guid),
    feed,
    guid,
    hidden,
    ...fieldsOfPayload(data),
    ...describeItem(data),
    deleted,
    version,
    links: links.map(linkJson),
  };
}

function linkJson({ url, nestedFeed, onDemand, target }: TreeLink): CseLinkJson {
  const link = { ...(url !== undefined && { url }), nestedFeed, onDemand };
  if (target === undefined) return link;
  if ('feed' in target) return { ...link, feed: target.feed };
  const { file: digest, ...file } = target;
  return { ...link, file: { digest, ...file } };
}
