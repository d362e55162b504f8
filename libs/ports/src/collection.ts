import type { Format } from '#feed-xml';

/** What a publisher has told its readers: everything up to `sequence`, in a window that begins after `since`. */
export interface Publication {
  /** The highest sequence issued and applied; 0 before the first. */
  readonly sequence: number;
  /** The highest sequence that is no longer in the partial feed; 0 while nothing has left it (4.2.4). */
  readonly since: number;
  /** Everything up to this sequence has been handed to the event stream. */
  readonly relayed: number;
  /** When `sequence` last moved; absent before the first publication. */
  readonly updatedAt?: Date;
}

/** Settings of a collection; each has a default. */
export interface CollectionSettings {
  /** How many items the partial feed holds at most (default 1000). */
  readonly windowItems: number;
  /** How long a subscriber may stay away before it may miss an update, in seconds; written as `expires` (default 604800, a week). */
  readonly expiresAfter: number;
  /** Whether updates clean up the history per `by` (FeedSync 3.2, MAY; default false). */
  readonly cleanUpHistory: boolean;
}

/** A collection (RFC 5023's word): what FeedSync calls an item set. */
export interface Collection {
  /** `[a-z0-9][a-z0-9-]{0,62}`. */
  readonly name: string;
  readonly protocol: 'feedsync';
  readonly format: Format;
  readonly title: string;
  /** The identifier under which this endpoint edits (an RFC 2141 NSS); never changes once items exist. */
  readonly endpoint: string;
  readonly settings: CollectionSettings;
  readonly publication: Publication;
  readonly createdAt: Date;
}

/** The right to publish one collection; every write under it names its epoch. */
export interface Lease {
  readonly collection: string;
  /** Grows by one with every new holder. */
  readonly epoch: number;
}

/** Where collections are kept. Lists are in ascending order of name, by code point. */
export interface CollectionStore {
  /**
   * Answers false, and changes nothing, where the name is taken. Where a removed collection had the name, sequences and epochs
   * go on from there, so that no event id is given twice.
   */
  create(collection: Collection): Promise<boolean>;
  find(name: string): Promise<Collection | undefined>;
  list(page: { after?: string; limit: number }): Promise<Collection[]>;
  /** Replaces title and settings; answers false where there is no such collection. */
  update(name: string, change: { title: string; settings: CollectionSettings }): Promise<boolean>;
  /** Removes the collection with everything kept under its name (items, subscriptions, manifests, changes, dead letters). */
  remove(name: string): Promise<boolean>;
  /**
   * Takes or renews the right to publish for `duration` milliseconds by the store's own clock. A holder that renews in time
   * keeps its epoch. Answers undefined while another holder's lease runs.
   */
  lease(name: string, holder: string, duration: number): Promise<Lease | undefined>;
  /** The collections with published changes that were not all handed to the event stream. */
  unrelayed(): Promise<string[]>;
  /** Ends a lease early; a stale one is left alone. */
  release(lease: Lease): Promise<void>;
  /** Moves the publication; answers false, and changes nothing, where a newer epoch exists. */
  advance(lease: Lease, publication: Publication): Promise<boolean>;
}
