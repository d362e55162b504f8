import type { Payload } from '#xml';
import type { IssuedRecord } from './issued-record.ts';
import type { Placed, Position } from './position.ts';

/** What an item is to the store: carried, never looked into. */
export type ItemContent = SharedContent | TreeContent;

/** Of a protocol whose items have versions that are merged; what else there is, the protocol knows. */
export interface SharedContent {
  readonly sync: { readonly id: string };
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

/** That a subscription has brought a fragment, by the SHA-256 of its bytes (base64url). */
export interface Source {
  readonly subscription: string;
  readonly digest: string;
  /** The document that brought it last, as `fetchPassOf` names it. */
  readonly fetchPass?: string;
}

/** The name of one document of a fetch: the feed itself, or the complete feed that was read beside it. */
export function fetchPassOf(manifest: string, document: 'feed' | 'complete'): string {
  return `${manifest}.${document}`;
}

/** What the change feed last said of an item. */
export interface Announcement {
  readonly revision: number;
  readonly deleted: boolean;
  readonly conflictCount: number;
}

/** What a change event says of an item's version. */
export interface VersionSummary {
  /** With SSE the version. */
  readonly updates: number;
  readonly noconflicts?: boolean;
  /** That this version is a programmatic resolution, by what policy, and how many conflicts it resolved. */
  readonly resolution?: { readonly policy: string; readonly conflicts: number };
  /** The topmost history. */
  readonly history?: { readonly sequence: number; readonly when?: string; readonly by?: string };
}

/** What of a tree of feeds an item refers to (Content Sync Extensions). */
export interface TreeRefs {
  /** Its identity within the tree. */
  readonly guid: string;
  /** The nested feed that it links to. */
  readonly nested?: string;
  /** The digests of the contents that its links refer to, each once; none of a deleted one. */
  readonly files: readonly string[];
}

/** That an edit under a key of its sender is in the item (`Idempotency-Key`), stored with it in one write. */
export interface EditMark {
  /** Digests of the key, and of all that the edit said. */
  readonly key: string;
  readonly request: string;
  readonly at: Date;
}

/** One item as it is kept. */
export interface StoredItem {
  readonly collection: string;
  readonly id: string;
  /** Grows by one with every change, from 1; what compare-and-set compares. */
  readonly revision: number;
  readonly content: ItemContent;
  /**
   * The item as it stands in our own feeds, in the collection's native format. Empty with CSE, whose items
   * are written when they are read.
   */
  readonly entry: string;
  readonly deleted: boolean;
  readonly conflictCount: number;
  /**
   * Where it stands, in a collection that has an order (SSE 3.2) or is a tree of feeds: there `parent` is the
   * feed.
   */
  readonly position?: Position;
  /** In a tree of feeds. */
  readonly branch?: TreeRefs;
  readonly version: VersionSummary;
  /** At most one for each subscription. */
  readonly sources: readonly Source[];
  /** The subscription that brought the last change; absent for a local edit. */
  readonly subscription?: string;
  /** The latest edits under keys, the oldest first. A write without them leaves those that are stored. */
  readonly edits?: readonly EditMark[];
  /** What was signed here of it, one record for each endpoint identifier; absent before the first. */
  readonly issued?: readonly IssuedRecord[];
  /**
   * When it was made: as its first version here said itself, otherwise when that was stored. Never changes.
   */
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The place in the collection's order of changes; absent until first published. */
  readonly sequence?: number;
  /** When it got this place. */
  readonly publishedAt?: Date;
  readonly announced?: Announcement;
}

/** An item with a revision that was not announced yet: what announcing it needs. */
export type PendingItem = Pick<
  StoredItem,
  | 'collection'
  | 'id'
  | 'revision'
  | 'deleted'
  | 'conflictCount'
  | 'version'
  | 'subscription'
  | 'sequence'
  | 'announced'
>;

/** An item to write if, and only if, the stored revision is the expected one. */
export interface ItemWrite {
  /** 0: no such item may exist. */
  readonly expected: number;
  readonly item: Omit<StoredItem, 'sequence' | 'publishedAt' | 'announced' | 'revision'>;
  /** That it is the stored item at another place: it is written although it has become a little too large. */
  readonly isMoved?: true;
}

/** What publishing one revision of an item records on it. */
export interface PublishedItem extends Announcement {
  readonly id: string;
  readonly sequence: number;
}

/** One item of a feed, ready to be written. */
export interface FeedItem {
  readonly id: string;
  readonly sequence: number;
  readonly entry: string;
  readonly updatedAt: Date;
}

/** One published item with what it is made of. */
export type PublishedContent = Pick<StoredItem, 'id' | 'content' | 'updatedAt'> & {
  readonly sequence: number;
};

/** One published item that is not deleted, with what a feed for readers says of it. */
export type LatestItem = Pick<
  StoredItem,
  'id' | 'content' | 'version' | 'createdAt' | 'updatedAt' | 'publishedAt'
> & { readonly sequence: number };

/** An item of a collection that has an order, as far as its place is concerned. */
export type PlacedItem = Placed & Pick<StoredItem, 'revision' | 'deleted' | 'sequence'>;

/** What the partial feed keeps (FeedSync 4.2). */
export interface FeedWindow {
  /** Where it begins now: items above this sequence are in it. */
  readonly since: number;
  /** How many items it holds at most, as far as `keptSince` allows. */
  readonly items: number;
  /** What was published after this time stays: readers were told that they have until `expires`. */
  readonly keptSince: Date;
  /** What was published before this time leaves, if given. */
  readonly leftBefore?: Date;
}

/** Where items are kept, by collection and id. Ids compare by code point. */
export interface ItemStore {
  load(collection: string, ids: readonly string[]): Promise<Map<string, StoredItem>>;
  /**
   * What was signed of items that were removed, by themselves or with their collection, by id. It is kept for
   * ever; an item that came back and has `issued` of its own has all of it.
   */
  issued(collection: string, ids: readonly string[]): Promise<Map<string, readonly IssuedRecord[]>>;
  /**
   * Those of the items that exist, in the order of the ids, in steps of about 256 KiB, so that memory stays
   * bounded however large they are.
   */
  loadInSteps(collection: string, ids: readonly string[]): AsyncIterable<readonly StoredItem[]>;
  /**
   * Writes each item whose stored revision is the expected one as revision `expected + 1`, marked as pending,
   * keeping its sequence and announcement. Returns the ids that lost the race. A write is on a majority and
   * in the journal when this returns. Where it throws, any part may have been written: load again and decide
   * again.
   * @throws ItemSizeError, with nothing written, if an item takes more bytes than the store is opened for
   */
  compareAndSet(writes: readonly ItemWrite[]): Promise<string[]>;
  /**
   * Records sources without a new revision, each in place of the same subscription's earlier one. Unknown ids
   * are skipped.
   */
  remember(collection: string, sources: readonly (Source & { id: string })[]): Promise<void>;
  /** The ids among the given ones whose item already has this very source. */
  known(collection: string, sources: readonly (Source & { id: string })[]): Promise<Set<string>>;
  /** Items with a revision that was not announced yet, at most `limit`. */
  pending(collection: string, limit: number): Promise<PendingItem[]>;
  /** The collections that have pending items. */
  collectionsPending(): Promise<string[]>;
  /**
   * Records a published block; an item that already has an equal or higher sequence is left alone, and one
   * that changed since stays pending.
   */
  markPublished(collection: string, items: readonly PublishedItem[], at: Date): Promise<void>;
  /**
   * In ascending order of id. `conflicts: true` for items that have any only; `deleted: false` leaves
   * tombstones out.
   */
  list(
    collection: string,
    page: { after?: string; limit: number; deleted?: boolean; conflicts?: boolean },
  ): Promise<StoredItem[]>;
  /**
   * The published items with a sequence above `since`, ascending, read in steps of about 256 KiB, so that
   * memory stays bounded however large they are. An item that is published again during the reading is seen
   * at its new place and may be seen twice; none is missed.
   */
  published(collection: string, since: number): AsyncIterable<FeedItem>;
  /** The same items with their content, for a feed in another format. */
  publishedContents(collection: string, since: number): AsyncIterable<PublishedContent>;
  /**
   * The published items that are not deleted, those with the highest sequence first, read in steps so that
   * memory stays bounded. One that is published again during the reading may be missed, and is never seen
   * twice.
   */
  latest(collection: string): AsyncIterable<LatestItem>;
  /**
   * Where the window begins after its purge: the highest sequence up to which every item was published at
   * `keptSince` or before, and has `items` newer ones or was published before `leftBefore`; `since` if
   * there is none above it.
   */
  windowStart(collection: string, window: FeedWindow): Promise<number>;
  /**
   * Published tombstones whose publication was before this time and to which nothing is pending, the oldest
   * first.
   */
  expiredTombstones(
    collection: string,
    publishedBefore: Date,
    limit: number,
  ): Promise<Pick<StoredItem, 'id' | 'revision' | 'sequence'>[]>;
  /** The items that have a position, in ascending order of id, read in steps so that memory stays bounded. */
  positions(collection: string): AsyncIterable<PlacedItem>;
  /**
   * The items below any of these parents, tombstones too, in ascending order of key, then id; those without a
   * key first. An empty text stands for the root.
   */
  children(collection: string, parents: readonly string[]): Promise<PlacedItem[]>;
  /** When the first item above this sequence was published; undefined if there is none. */
  publishedAfter(collection: string, sequence: number): Promise<Date | undefined>;
  /**
   * Items with a source of this subscription that none of the manifest's documents has brought, in ascending
   * order of id.
   */
  unseen(
    collection: string,
    fetchPass: { subscription: string; manifest: string },
    page: { after?: string; limit: number },
  ): Promise<StoredItem[]>;
  /**
   * Takes the source of this subscription from each item, unless the manifest's documents have brought it by
   * now.
   */
  forget(
    collection: string,
    fetchPass: { subscription: string; manifest: string },
    ids: readonly string[],
  ): Promise<void>;
  /** The items that are not deleted and link to one of these nested feeds, with the feed that they are in. */
  linking(
    collection: string,
    feeds: readonly string[],
  ): Promise<{ readonly id: string; readonly feed: string }[]>;
  /** How many items that are not deleted refer to each of these contents; those of none are absent. */
  referring(collection: string, digests: readonly string[]): Promise<Map<string, number>>;
  /** The ids of the items that are not deleted and have this identity within the tree. */
  withGuid(collection: string, guid: string): Promise<string[]>;
  /**
   * Removes each item that is still at this revision and, if `sources` are given, has these very sources;
   * with nothing left but what `issued` returns, which is kept first. Returns the ids that are gone.
   */
  remove(
    collection: string,
    items: readonly (Pick<StoredItem, 'id' | 'revision'> & { readonly sources?: readonly Source[] })[],
  ): Promise<string[]>;
}
