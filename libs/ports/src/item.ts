import type { Item } from '#feedsync';
import type { Payload } from '#feed-xml';
import type { Item as SseItem, Placed, Position } from '#sse';

/** What an item is to the store, by the protocol of its collection: carried, never looked into. */
export type ItemContent = FeedSyncContent | SseContent;
export type FeedSyncContent = Item<Payload>;
export type SseContent = SseItem<Payload>;

/** That a subscription has brought a fragment, by the SHA-256 of its bytes (base64url). */
export interface Source {
  readonly subscription: string;
  readonly digest: string;
  /** The document that brought it last, as `readingOf` names it. */
  readonly reading?: string;
}

/** The name of one document of a fetch: the feed itself, or the complete feed that was read beside it. */
export function readingOf(manifest: string, document: 'feed' | 'complete'): string {
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
  /** That this version is a programmatic resolution, by what policy, and how many conflicts it settled. */
  readonly resolution?: { readonly policy: string; readonly conflicts: number };
  /** The topmost history. */
  readonly history?: { readonly sequence: number; readonly when?: string; readonly by?: string };
}

/** One item as it is kept. */
export interface StoredItem {
  readonly collection: string;
  readonly id: string;
  /** Grows by one with every change, from 1; what compare-and-set compares. */
  readonly revision: number;
  readonly content: ItemContent;
  /** The item as it stands in our own feeds, in the collection's native format. */
  readonly entry: string;
  readonly deleted: boolean;
  readonly conflictCount: number;
  /** Where it stands, in a collection that has an order (SSE 3.2). */
  readonly position?: Position;
  readonly version: VersionSummary;
  /** At most one for each subscription. */
  readonly sources: readonly Source[];
  /** The subscription that brought the last change; absent for a local edit. */
  readonly subscription?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The place in the collection's order of changes; absent until first published. */
  readonly sequence?: number;
  /** When it got this place. */
  readonly publishedAt?: Date;
  readonly announced?: Announcement;
}

/** An item with a revision that was not announced yet: what announcing it needs. */
export type PendingItem = Pick<StoredItem, 'collection' | 'id' | 'revision' | 'deleted' | 'conflictCount' | 'version' | 'subscription' | 'sequence' | 'announced'>;

/** An item to write if, and only if, the stored revision is the expected one. */
export interface ItemWrite {
  /** 0: no such item may exist. */
  readonly expected: number;
  readonly item: Omit<StoredItem, 'sequence' | 'publishedAt' | 'announced' | 'revision'>;
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
export type PublishedContent = Pick<StoredItem, 'id' | 'content' | 'updatedAt'> & { readonly sequence: number };

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
  /** What was published before this time leaves, where given. */
  readonly leftBefore?: Date;
}

/** Where items are kept, by collection and id. Ids compare by code point. */
export interface ItemStore {
  load(collection: string, ids: readonly string[]): Promise<Map<string, StoredItem>>;
  /**
   * Writes each item whose stored revision is the expected one as revision `expected + 1`, marked as pending, keeping its
   * sequence and announcement. Answers the ids that lost the race. A write is on a majority and in the journal when this
   * returns. Where it throws, any part may have been written: load again and decide again.
   */
  compareAndSet(writes: readonly ItemWrite[]): Promise<string[]>;
  /** Records sources without a new revision, each in place of the same subscription's earlier one. Unknown ids are passed over. */
  remember(collection: string, sources: readonly (Source & { id: string })[]): Promise<void>;
  /** The ids among the given ones whose item already has this very source. */
  known(collection: string, sources: readonly (Source & { id: string })[]): Promise<Set<string>>;
  /** Items with a revision that was not announced yet, at most `limit`. */
  pending(collection: string, limit: number): Promise<PendingItem[]>;
  /** The collections that have pending items. */
  collectionsPending(): Promise<string[]>;
  /** Records a published block; an item that already has an equal or higher sequence is left alone, and one that changed since stays pending. */
  markPublished(collection: string, items: readonly PublishedItem[], at: Date): Promise<void>;
  /** In ascending order of id. `conflicts: true` for items that have any only; `deleted: false` leaves tombstones out. */
  list(collection: string, page: { after?: string; limit: number; deleted?: boolean; conflicts?: boolean }): Promise<StoredItem[]>;
  /**
   * The published items with a sequence above `since`, ascending, read in steps so that memory stays bounded. An item that is
   * published again during the reading is seen at its new place and may be seen twice; none is missed.
   */
  published(collection: string, since: number): AsyncIterable<FeedItem>;
  /** The same items with their content, for a feed in another format. */
  publishedContents(collection: string, since: number): AsyncIterable<PublishedContent>;
  /**
   * Where the window begins after its purge: the highest sequence up to which every item was published at `keptSince` or before, and
   * has `items` newer ones or was published before `leftBefore`; `since` where there is none above it.
   */
  windowStart(collection: string, window: FeedWindow): Promise<number>;
  /** Published tombstones whose publication was before this time and to which nothing is pending, the oldest first. */
  expiredTombstones(collection: string, publishedBefore: Date, limit: number): Promise<Pick<StoredItem, 'id' | 'revision' | 'sequence'>[]>;
  /** The items that have a position, in ascending order of id, read in steps so that memory stays bounded. */
  positions(collection: string): AsyncIterable<PlacedItem>;
  /** The items below any of these parents, tombstones too, in ascending order of key, then id; those without a key first. An empty text stands for the root. */
  children(collection: string, parents: readonly string[]): Promise<PlacedItem[]>;
  /** When the first item above this sequence was published; undefined where there is none. */
  publishedAfter(collection: string, sequence: number): Promise<Date | undefined>;
  /** Items with a source of this subscription that none of the manifest's documents has brought, in ascending order of id. */
  unseen(collection: string, reading: { subscription: string; manifest: string }, page: { after?: string; limit: number }): Promise<StoredItem[]>;
  /** Takes the source of this subscription from each item, unless the manifest's documents have brought it by now. */
  forget(collection: string, reading: { subscription: string; manifest: string }, ids: readonly string[]): Promise<void>;
  /** Removes each item that is still at this revision and, where `sources` are given, has these very sources; without a trace. Answers the ids that are gone. */
  remove(collection: string, items: readonly (Pick<StoredItem, 'id' | 'revision'> & { readonly sources?: readonly Source[] })[]): Promise<string[]>;
}
