import type { Payload } from '#xml';
import type { ItemId } from '#contracts';
import type { Position } from './position.ts';

/** What an item is to the store: carried, never looked into. */
export type ItemContent = SharedContent | TreeContent;

/** Of a protocol whose items have versions that are merged; what else there is, the protocol knows. */
export interface SharedContent {
  readonly sync: { readonly id: ItemId };
  readonly data: Payload;
  readonly conflicts: readonly object[];
}

/** An item in a feed of a tree (Content Sync Extensions). */
export interface TreeContent {
  /** The id of the feed that it is in. */
  readonly feed: string;
  /** Its identity within the tree, or within its feed where a publisher uses one twice. */
  readonly guid: string;
  readonly hidden: boolean;
  readonly deleted: boolean;
  /** Grows by one with every version, from 1. */
  readonly version: number;
  /** When this version was made here, RFC 3339 in whole seconds and UTC. */
  readonly when: string;
  /**
   * Of a mirrored item with a link that leads to its source: the date that it had there, RFC 3339, since what
   * is there may have changed when that does.
   */
  readonly sourceDate?: string;
  /** Every child but csx:lastBuildDate, which is written when the item is read. */
  readonly data: Payload;
  /** One for each csx:link that has a URL, in document order. */
  readonly links: readonly TreeLink[];
  /** Where it stands: `parent` is the feed. */
  readonly position: Position;
}

/** What an item of a tree is, beside its place, its text and the counting of its versions. */
export type TreeValues = Pick<TreeContent, 'feed' | 'guid' | 'hidden' | 'links'>;

/** A csx:link of an item. */
export interface TreeLink {
  /**
   * Where its URL stands in the payload: the number of the child, from 0, and the part of the child's XML
   * (UTF-16 units) that is replaced by it.
   */
  readonly place: { readonly child: number; readonly start: number; readonly end: number };
  readonly nestedFeed: boolean;
  readonly onDemand: boolean;
  /** The absolute URL that it had, or was given; absent if it never had another than ours. */
  readonly url?: string;
  /**
   * What of ours it refers to: a feed of the tree, or a content with the name that it ends in. Absent if
   * we have none.
   */
  readonly target?:
    | { readonly feed: string }
    | { readonly file: string; readonly name: string; readonly length: number; readonly type?: string };
}

/**
 * Returns the content of an item of a collection whose items have versions. Throws `TypeError` for that of a
 * tree of feeds.
 */
export function sharedContent(content: ItemContent): SharedContent {
  if ('sync' in content) return content;
  throw new TypeError(`The item "${content.guid}" stands in a tree of feeds; it has no versions.`);
}
