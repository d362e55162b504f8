import type { CollectionKey, ItemId, SubscriptionId } from '#contracts';
import type {
  ByCollection,
  ConflictPlace,
  ItemCounts,
  ItemSelection,
  TimeOrder,
  TimePlace,
} from './item-lists.ts';
import type { IssuedRecord } from './issued-record.ts';
import type { Announcement, Source, StoredItem } from './item.ts';
import type { Placed } from './position.ts';

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
  | 'updatedAt'
> &
  Traced;

/** What was done in a trace that is recorded. */
export interface Traced {
  /** Where what follows from it goes on: `traceparent` of W3C Trace Context. */
  readonly trace?: string;
}

/** An item to write if, and only if, the stored revision is the expected one. */
export interface ItemWrite extends Traced {
  /** 0: no such item may exist. */
  readonly expected: number;
  readonly item: Omit<StoredItem, 'sequence' | 'publishedAt' | 'announced' | 'revision'>;
  /**
   * The item at the expected revision, by which the usage of a tenant is counted and its event composed;
   * absent for a new one. The write is lost if it has other sources by now.
   */
  readonly former?: Pick<StoredItem, 'content' | 'deleted' | 'conflictCount' | 'announced' | 'sources'>;
  /** That it is the stored item at another place: it is written although it has become a little too large. */
  readonly isMoved?: true;
}

/** What publishing one revision of an item records on it. */
export interface PublishedItem extends Announcement {
  readonly id: ItemId;
  readonly sequence: number;
}

/** One published item of a feed. */
export type FeedItem = Pick<StoredItem, 'id' | 'content' | 'updatedAt'> & {
  readonly sequence: number;
};

/** One published item that is not deleted, with what a feed for readers says of it. */
export type LatestItem = Pick<
  StoredItem,
  'id' | 'content' | 'version' | 'createdAt' | 'updatedAt' | 'publishedAt'
> & { readonly sequence: number };

/** An item of a collection that has an order, as far as its place is concerned. */
export type PlacedItem = Placed & Pick<StoredItem, 'revision' | 'deleted' | 'sequence'>;

/** An item below a parent, and whether it is deleted. */
export type ChildState = Pick<StoredItem, 'id' | 'deleted'>;

/** A place among the items below one parent. */
export interface ChildPlace {
  /** Empty for an item that has none. */
  readonly key: string;
  readonly id: string;
}

/** Which of the keys below one parent are meant; by default all. */
export interface KeyRange {
  /** The lowest key. */
  readonly from?: string;
  /** A key that is above all of them. */
  readonly before?: string;
}

/** Which of the places below one parent are read; by default all. */
export interface PlaceRange extends KeyRange {
  /** An item that is left out. */
  readonly except?: ItemId;
  /** How many are left out at the beginning. */
  readonly skip?: number;
  /** How many are read at the most. */
  readonly limit?: number;
  /** Whether they are read in descending order. */
  readonly isReversed?: boolean;
}

/** What the partial feed keeps (FeedSync 4.2). */
export interface FeedWindow {
  /** Where it begins now: items above this sequence are in it. */
  readonly since: number;
  /** How many items it holds at most, as far as `keptSince` allows. */
  readonly items: number;
  /** What was published after this time stays: readers have until `expires` to come. */
  readonly keptSince: Date;
  /** What was published before this time leaves, if given. */
  readonly leftBefore?: Date;
  /** How many items it holds at the very most, whatever `keptSince` says, if given. */
  readonly limit?: number;
}

/** Where a feed's window begins after its purge. */
export interface WindowStart {
  /** The highest sequence that is not in it. */
  readonly since: number;
  /** When the first item in it was published; absent if there is none. */
  readonly firstAt?: Date;
  /** Whether that item has as many newer ones as the window holds, and stays by its time alone. */
  readonly isCrowded: boolean;
}

/** Where items are kept, by collection and id. Ids compare by code point. */
export interface ItemStore {
  load(collection: CollectionKey, ids: readonly ItemId[]): Promise<Map<ItemId, StoredItem>>;
  /**
   * What was signed of items that were removed, by themselves or with their collection, by id. It is kept for
   * ever; an item that came back and has `issued` of its own has all of it.
   */
  issued(collection: CollectionKey, ids: readonly ItemId[]): Promise<Map<ItemId, readonly IssuedRecord[]>>;
  /**
   * Those of the items that exist, in the order of the ids, in steps of about 256 KiB, so that memory stays
   * bounded however large they are.
   */
  loadInSteps(collection: CollectionKey, ids: readonly ItemId[]): AsyncIterable<readonly StoredItem[]>;
  /**
   * Writes each item whose stored revision is the expected one as revision `expected + 1`. A store that is
   * opened with `compose` publishes them in the same step, with a block of the log; those for which it
   * composes none are marked as pending, and keep their sequence and announcement. Returns the ids that lost
   * the race. A write is on a majority and in the journal when this returns. Where it throws, any part may
   * have been written: load again and decide again.
   * @throws ItemSizeError, with nothing written, if an item takes more bytes than the store is opened for
   */
  compareAndSet(writes: readonly ItemWrite[]): Promise<ItemId[]>;
  /**
   * Records sources without a new revision, each in place of the same subscription's earlier one. Unknown ids
   * are skipped.
   * @param loaded the items as they were read: nothing is recorded on one that has another source of the
   *   subscription by now
   */
  remember(
    collection: CollectionKey,
    sources: readonly (Source & { id: ItemId })[],
    loaded?: ReadonlyMap<ItemId, Pick<StoredItem, 'sources'>>,
  ): Promise<void>;
  /** The ids among the given ones whose item already has this very source. */
  known(collection: CollectionKey, sources: readonly (Source & { id: ItemId })[]): Promise<Set<ItemId>>;
  /** Makes every item pending, as if it had never been announced. */
  publishAgain(collection: CollectionKey): Promise<void>;
  /** Items with a revision that was not announced yet, at most `limit`. */
  pending(collection: CollectionKey, limit: number): Promise<PendingItem[]>;
  /** The collections that have pending items. */
  collectionsPending(): Promise<CollectionKey[]>;
  /** The items of a selection in ascending order of id. */
  list(
    collection: CollectionKey,
    page: { after?: string; limit: number } & ItemSelection,
  ): Promise<StoredItem[]>;
  /** The items of a selection in the order of a time. */
  listByTime(
    collection: CollectionKey,
    order: TimeOrder,
    page: { after?: TimePlace; limit: number } & ItemSelection,
  ): Promise<StoredItem[]>;
  /** The items of all collections that have conflicts, in ascending order of collection, then id. */
  listConflicts(page: { after?: ConflictPlace; limit: number }): Promise<StoredItem[]>;
  /** Counts the items of collections. Reads no item. */
  counts(collections: readonly CollectionKey[]): Promise<ByCollection<ItemCounts>>;
  /**
   * The published items with a sequence above `since`, ascending, read in steps of about 256 KiB, so that
   * memory stays bounded however large they are. An item that is published again during the reading is seen
   * at its new place and may be seen twice; none is missed.
   */
  published(collection: CollectionKey, since: number): AsyncIterable<FeedItem>;
  /**
   * The published items that are not deleted, those with the highest sequence first, read in steps so that
   * memory stays bounded. One that is published again during the reading may be missed, and is never seen
   * twice.
   * @param before the sequence that those of the items are below, if not all are read
   */
  latest(collection: CollectionKey, before?: number): AsyncIterable<LatestItem>;
  /**
   * Where the window begins after its purge: at the highest sequence up to which every item was published at
   * `keptSince` or before, and has `items` newer ones or was published before `leftBefore`, or has `limit`
   * newer ones; at `since` if there is none above it.
   */
  windowStart(collection: CollectionKey, window: FeedWindow): Promise<WindowStart>;
  /**
   * Published tombstones whose publication was before this time and to which nothing is pending, the oldest
   * first.
   */
  expiredTombstones(
    collection: CollectionKey,
    publishedBefore: Date,
    limit: number,
  ): Promise<Pick<StoredItem, 'id' | 'revision' | 'sequence'>[]>;
  /** When the oldest published tombstone was published to which nothing is pending; undefined if none is. */
  oldestTombstone(collection: CollectionKey): Promise<Date | undefined>;
  /** The items that have a position, in ascending order of id, read in steps so that memory stays bounded. */
  positions(collection: CollectionKey): AsyncIterable<PlacedItem>;
  /**
   * The items below any of these parents, tombstones too, in ascending order of key, then id; those without a
   * key first. An empty text stands for the root.
   */
  children(collection: CollectionKey, parents: readonly string[]): Promise<PlacedItem[]>;
  /** Which items stand below any of these parents, tombstones too. Reads no item. */
  childStates(collection: CollectionKey, parents: readonly string[]): Promise<ChildState[]>;
  /** The ids of the items below a parent, tombstones too, in the same order; reads no item. */
  childIds(collection: CollectionKey, parent: string): Promise<ItemId[]>;
  /** The lowest key that an item below a parent has, tombstones too; undefined if none has any. */
  firstKey(collection: CollectionKey, parent: string): Promise<string | undefined>;
  /**
   * The items below a parent that are not deleted, in the same order, at most `limit`, those after a place:
   * a key, empty for none, and an id.
   */
  listChildren(
    collection: CollectionKey,
    parent: string,
    page: { after?: ChildPlace; limit: number },
  ): Promise<StoredItem[]>;
  /**
   * The places of the items below a parent that are not deleted and have a key, in ascending order of key,
   * then id. Reads no item.
   */
  placesBelow(collection: CollectionKey, parent: string, range: PlaceRange): Promise<Placed[]>;
  /** How many of these places have a key in a range, by code point. Reads no item. */
  countPlacesBelow(collection: CollectionKey, parent: string, range: KeyRange): Promise<number>;
  /** Whether any item stands below a parent, tombstones too. Reads no item. */
  hasChildren(collection: CollectionKey, parent: string): Promise<boolean>;
  /** When the first item above this sequence was published; undefined if there is none. */
  publishedAfter(collection: CollectionKey, sequence: number): Promise<Date | undefined>;
  /**
   * Items with a source of this subscription that none of the manifest's documents has brought, in ascending
   * order of id.
   */
  unseen(
    collection: CollectionKey,
    fetchPass: { subscription: SubscriptionId; manifest: string },
    page: { after?: string; limit: number },
  ): Promise<StoredItem[]>;
  /**
   * Takes the source of this subscription from each item, unless the manifest's documents have brought it by
   * now.
   */
  forget(
    collection: CollectionKey,
    fetchPass: { subscription: SubscriptionId; manifest: string },
    ids: readonly ItemId[],
  ): Promise<void>;
  /** The items that are not deleted and link to one of these nested feeds, with the feed that they are in. */
  linking(
    collection: CollectionKey,
    feeds: readonly string[],
  ): Promise<{ readonly id: ItemId; readonly feed: string }[]>;
  /** The nested feeds that items link to, of those that were not written since they have this sequence. */
  nestedFeeds(
    collection: CollectionKey,
    items: readonly Pick<PublishedItem, 'id' | 'sequence'>[],
  ): Promise<string[]>;
  /** How many items that are not deleted refer to each of these contents; those of none are absent. */
  referring(collection: CollectionKey, digests: readonly string[]): Promise<Map<string, number>>;
  /** The ids of the items that are not deleted and have this identity within the tree. */
  withGuid(collection: CollectionKey, guid: string): Promise<ItemId[]>;
  /**
   * Removes each item that is still at this revision and, if `sources` are given, has these very sources;
   * with nothing left but what `issued` returns, which is kept first. Returns the ids that are gone.
   */
  remove(
    collection: CollectionKey,
    items: readonly (Pick<StoredItem, 'id' | 'revision'> & { readonly sources?: readonly Source[] })[],
  ): Promise<ItemId[]>;
}
