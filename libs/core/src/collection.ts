import type { FeedFormat, Format } from '#xml';
import type { CollectionKey } from '#contracts';
import type { ChangeBlock } from './change.ts';

/**
 * What a publisher has announced to its readers: everything up to `sequence`, in a window that begins after
 * `since`.
 */
export interface Publication {
  /** The highest sequence issued; 0 before the first. */
  readonly sequence: number;
  /** The highest sequence that is no longer in the partial feed; 0 while nothing has left it (4.2.4). */
  readonly since: number;
  /** Everything up to this sequence has been handed to the event stream. */
  readonly relayed: number;
  /**
   * When `sequence` last moved; absent before the first publication. With SSE and CSE in whole seconds, later
   * each time: what `until` says (SSE 2.1), and `csx:lastBuildDate`.
   */
  readonly updatedAt?: Date;
}

/** How far a publisher has followed what was published. */
export type Followed = Pick<Publication, 'relayed' | 'since'>;

/** Settings of a collection; each has a default. */
export interface CollectionSettings {
  /** How many items the partial feed holds at most (default 1000). */
  readonly windowItems: number;
  /**
   * How many items the partial feed holds at the very most, whatever `expiresAfter` says; at least
   * `windowItems`. Absent: 10,000, or `windowItems` if that is more.
   */
  readonly windowLimit?: number;
  /**
   * How long a subscriber may stay away before it may miss an update, in seconds; written as `expires`
   * (default 86400, a day).
   */
  readonly expiresAfter: number;
  /** Whether updates clean up the history per `by` (FeedSync 3.2, MAY; default false). */
  readonly cleanUpHistory: boolean;
  /**
   * How many entries a history may have before an update cleans it up all the same (default 50). Absent: as
   * many as there come to be.
   */
  readonly historyLimit?: number;
  /**
   * After how many seconds an item leaves the partial feed although it would fit; at least
   * `expiresAfter`. Absent: never.
   */
  readonly windowAge?: number;
  /**
   * After how many seconds a published tombstone is removed for good (4.2.4); at least `expiresAfter`.
   * Absent: never.
   */
  readonly tombstoneAge?: number;
  /** Whether change events have the item (absent: no). */
  readonly includeItem?: boolean;
  /** Whether a deletion removes the item's data, unless it says otherwise (FeedSync 3.2, MAY; absent: no). */
  readonly removeDeletedData?: boolean;
  /**
   * What of an item is shared data, by format (Implementation Notes, Note 1): names of elements that the
   * format defines, Atom links as `link:` and their relation. Foreign markup always is. Absent:
   * `defaultSharedElements` of `#xml`.
   */
  readonly sharedElements?: Readonly<Record<FeedFormat, readonly string[]>>;
  /**
   * Whether our feeds name the subscribed ones as `sx:related` of type `aggregated` (FeedSync 2.3.1; absent:
   * no).
   */
  readonly listSubscriptions?: boolean;
  /**
   * Whether foreign markup at the feed level of subscribed feeds is republished (FeedSync 2.1.7; absent:
   * yes).
   */
  readonly republishMarkup?: boolean;
  /**
   * How conflicts are resolved without a person (FeedSync 3.4); absent: not at all. Every endpoint of a mesh
   * must have the same.
   */
  readonly resolution?: ResolutionPolicy;
  /** Of SSE in RSS: whether the items have an order (SSE 3.2; absent: no). Outlines always have one. */
  readonly ordered?: boolean;
  /** Of SSE: how many `sx:update` an update keeps, the latest ones (SSE 4.2, MAY; absent: all). */
  readonly updatesKept?: number;
  /**
   * Of SSE: which form of its namespace our feeds declare (absent: `https`, as the specification prints it).
   * Both are read.
   */
  readonly namespace?: 'https' | 'http';
  /**
   * Of a mirrored tree: whether links in our feeds lead to our copies, or stay those of the source (absent:
   * to our copies). What we have no copy of keeps its own.
   */
  readonly links?: 'rewritten' | 'original';
  /** Of a mirrored tree: whether what was fetched on demand is kept in step from then on (absent: yes). */
  readonly refreshOnDemand?: boolean;
}

/**
 * A programmatic resolution (FeedSync 3.4): the latest `when`, an endpoint that goes before the others, or a
 * module that the operator names.
 */
export type ResolutionPolicy =
  | { readonly policy: 'latest' }
  | { readonly policy: 'prefer-endpoint'; readonly endpoint: string }
  | { readonly policy: 'module'; readonly module: string };

/** A collection (RFC 5023's word): what FeedSync calls an item set. */
export interface Collection {
  /** `[a-z0-9][a-z0-9-]{0,62}`, after the name of its tenant and a dot if it is of one. */
  readonly key: CollectionKey;
  /** The name of a synchronisation protocol. */
  readonly protocol: string;
  /** One of those that the protocol has. */
  readonly format: Format;
  readonly title: string;
  /** The identifier under which this endpoint edits (an RFC 2141 NSS). */
  readonly endpoint: string;
  /**
   * The identifiers under which it edited before, the first one first; absent while it has had one. Others
   * may sign with them.
   */
  readonly retiredEndpoints?: readonly string[];
  readonly settings: CollectionSettings;
  /** Whether everyone may read its feeds and files where requests need a key (absent: no). */
  readonly isPublic?: boolean;
  readonly publication: Publication;
  /**
   * Grows after each change of a subscription that the heads of its feeds may tell of, by one or more; absent
   * before the first.
   */
  readonly subscriptionsRevision?: number;
  readonly createdAt: Date;
}

/**
 * What came of a publication. It is `raced` if the collection is no longer as it was, or others are writing
 * what it writes; `refused` if what is written with it is not as expected. Nothing has changed then.
 */
export type PublicationOutcome = 'published' | 'raced' | 'refused';

/** Where collections are kept. Lists are in ascending order of name, by code point. */
export interface CollectionStore {
  /**
   * Returns false, and changes nothing, if the name is taken. Where a removed collection had the name, its
   * sequences go on from there, so that no event id is given twice.
   */
  create(collection: Collection): Promise<boolean>;
  find(key: CollectionKey): Promise<Collection | undefined>;
  /** The sequence before the first change: 0, or the last one of a removed collection of this name. */
  beganAfter(key: CollectionKey): Promise<number>;
  /** How far collections are published: `publication.sequence` of each that there is. */
  sequences(keys: readonly CollectionKey[]): Promise<Map<CollectionKey, number>>;
  list(page: { after?: string; limit: number }): Promise<Collection[]>;
  /**
   * Replaces title and settings, and makes the purge due; returns false if there is no such collection.
   */
  update(key: CollectionKey, change: { title: string; settings: CollectionSettings }): Promise<boolean>;
  /** Makes its feeds and files readable by everyone, or not; returns false if there is no such collection. */
  setPublic(key: CollectionKey, isPublic: boolean): Promise<boolean>;
  /**
   * Makes it sign with another identifier, and adds the former one to `retiredEndpoints`. Returns false, and
   * changes nothing, if there is no such collection or it does not have the former identifier.
   */
  renewEndpoint(key: CollectionKey, former: string, endpoint: string): Promise<boolean>;
  /**
   * Goes on with a collection that comes from a backup: it signs with another identifier, as after
   * `renewEndpoint`, its log is empty, whatever was published counts as handed over, and the next sequence is
   * more than `ahead` above the highest. Returns that highest sequence of now;
   * undefined, and changes nothing but for the log, if the collection is missing or has another identifier.
   */
  restart(key: CollectionKey, former: string, endpoint: string, ahead: number): Promise<number | undefined>;
  /**
   * Removes the collection, at once for all who look for it, and a bounded number of what is kept under its
   * name (items, subscriptions, manifests, changes, dead letters), but for what `ItemStore.issued` returns.
   * If that is not all, the name is taken until `continueRemoval` has removed the rest. Returns false if
   * there is no such collection.
   */
  remove(key: CollectionKey): Promise<boolean>;
  /**
   * Goes on with a removal by a bounded number of rows. Returns whether it has come to its end, so that the
   * name is free. May be called by several processes at the same time, one of which removes.
   */
  continueRemoval(key: CollectionKey): Promise<boolean>;
  isBeingRemoved(key: CollectionKey): Promise<boolean>;
  /** The collections that are being removed, the longest first, at most `limit`. */
  removals(limit: number): Promise<CollectionKey[]>;
  /**
   * Publishes what is pending, in one step: the block is in the log, its items, notices and feeds have what
   * it says of them, and the publication has moved. An item or feed that has changed since stays pending.
   * @param former the collection as it was when the block was composed
   * @returns false, with nothing changed, if it was published, or changed in what blocks are composed by,
   *   since
   */
  publish(former: Collection, block: ChangeBlock): Promise<boolean>;
  /**
   * Gives the publication a time, with no block. Returns false, and changes nothing, where `publish` would.
   */
  setPublicationTime(former: Collection, at: Date): Promise<boolean>;
  /** The collections of which `follow` has not recorded all that was published. */
  unfollowed(): Promise<CollectionKey[]>;
  /**
   * Records what was done for what was published: `relayed` and `since` never become smaller.
   * @param purgeAt the earliest time at which the purge may find something to do because of it, if ever
   */
  follow(key: CollectionKey, followed: Followed, purgeAt?: Date): Promise<void>;
  /**
   * Makes `since` at least this sequence (FeedSync 4.2.4): an item with it is about to be removed.
   */
  raiseSince(key: CollectionKey, sequence: number): Promise<void>;
  /**
   * The collections whose purge may find something to do at this time, the longest due first, at most
   * `limit` in one step.
   */
  duePurges(now: Date, limit: number): AsyncIterable<readonly Collection[]>;
  /**
   * Says that the purge has nothing to do in this collection before a time, by default until something is
   * published. Makes it due instead if it was given other settings, or published, since it was read, or not
   * all of it was followed: whoever does so may go by settings that were replaced meanwhile.
   */
  postponePurge(collection: Collection, until?: Date): Promise<void>;
}
