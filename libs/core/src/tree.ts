import type { CollectionKey } from '#contracts';
import type { DownloadFailure } from './download-failure.ts';

/** The id of the feed at the root of a tree. */
export const rootFeed = 'root';

/** One feed of a collection of Content Sync Extensions, as we publish it. */
export interface TreeFeed {
  readonly collection: CollectionKey;
  /** `[a-z0-9][a-z0-9-]{0,62}`; `root` is the root. */
  readonly id: string;
  readonly title: string;
  /** Further children of its channel as XML that stands on its own; never title or lastBuildDate. */
  readonly head: readonly string[];
  /** Where it is mirrored from; absent of a feed of our own. */
  readonly url?: string;
  /**
   * The date of the last change to it, to an item in it, or to any feed below it: what its lastBuildDate
   * says. In whole seconds; never gets smaller. Absent before the first.
   */
  readonly publishedAt?: Date;
  readonly createdAt: Date;
}

/** A feed whose title or head has become another since a date last announced that to readers. */
export interface PendingFeed {
  readonly id: string;
  /** Grows with every change of title or head. */
  readonly revision: number;
}

/** Where the feeds of trees are kept. Lists are in ascending order of id, by code point. */
export interface FeedStore {
  /** Returns false, and changes nothing, if there is such a feed. */
  create(feed: Omit<TreeFeed, 'publishedAt'>): Promise<boolean>;
  /**
   * Creates it, or replaces title, head and url; `publishedAt` stays. Returns whether it is new. It is
   * pending from now on if its title or head has become another; a new one is not, since the item that
   * will lead to it brings readers there.
   */
  put(feed: Omit<TreeFeed, 'publishedAt'>): Promise<boolean>;
  load(collection: CollectionKey, ids: readonly string[]): Promise<Map<string, TreeFeed>>;
  list(collection: CollectionKey, page: { after?: string; limit: number }): Promise<TreeFeed[]>;
  /** Returns whether there was one. */
  remove(collection: CollectionKey, id: string): Promise<boolean>;
  /** Makes `publishedAt` of each at least this time. Unknown ids are skipped. */
  raise(collection: CollectionKey, ids: readonly string[], at: Date): Promise<void>;
  /** Makes every feed pending. */
  publishAgain(collection: CollectionKey): Promise<void>;
  /** The pending feeds, at most `limit`. */
  pending(collection: CollectionKey, limit: number): Promise<PendingFeed[]>;
  /** The collections that have pending feeds. */
  collectionsPending(): Promise<CollectionKey[]>;
  /** Records that readers can find these changes; a feed that has changed since stays pending. */
  markPublished(collection: CollectionKey, feeds: readonly PendingFeed[]): Promise<void>;
}

/** What the cache holds of one document of a tree. */
export interface CachedCopy {
  /**
   * The `lastBuildDate` of the newest item that it was downloaded for, RFC 3339: what the copy is in step
   * with.
   */
  readonly lastBuildDate: string;
  /** SHA-256 of its bytes in hexadecimal: what `ContentStore` knows them by. */
  readonly digest: string;
  /** In bytes. */
  readonly length: number;
  /** The media type with its parameters, as the server sent it. */
  readonly type?: string;
  /** The validators of a conditional GET, as the server sent them. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** The address it came from, after redirects: what relative links in it are relative to. */
  readonly base: string;
  /** Whether it was read as a feed. */
  readonly isFeed: boolean;
  /** Of a feed: the digest of what its bytes were parsed to, another content. */
  readonly parsed?: string;
}

/** What one download came to, and in which fetch. */
export type DownloadOutcome = { readonly manifest: string } & (
  | { readonly kind: 'arrived'; readonly bytes: number }
  | { readonly kind: 'unchanged' }
  | ({ readonly kind: 'failed' } & DownloadFailure)
);

/** One document that a mirrored tree refers to, in the cache or not. */
export interface TreeDocument {
  readonly collection: CollectionKey;
  /** Absolute, without a fragment. */
  readonly url: string;
  /** Whether the tree links to it as a nested feed. */
  readonly isFeed: boolean;
  /** Whether every link to it is on demand. */
  readonly onDemand: boolean;
  /** Whether somebody has requested it although it is on demand. */
  readonly isRequested: boolean;
  /**
   * The date of the newest item that links to it: the copy is stale if it is in step with an earlier one.
   * RFC 3339.
   */
  readonly lastBuildDate: string;
  readonly copy?: CachedCopy;
  /** Why it, or its newer version, could not be fetched, when that was last tried. */
  readonly failure?: DownloadFailure;
  /** Of the last download. */
  readonly outcome?: DownloadOutcome;
  /** Of a feed: what its items were last brought in step with, as the merger writes it. */
  readonly merged?: string;
  /** The fetch that found that nothing refers to it any more. */
  readonly dropped?: string;
  /**
   * Names the last write that may have changed what a fetch of the tree has to do; absent once a fetch has
   * acknowledged it (`DocumentStore.acknowledge`). Written together with the change itself.
   */
  readonly changed?: string;
}

/** What a walk found of a document. */
export type FoundDocument = Pick<TreeDocument, 'url' | 'isFeed' | 'onDemand' | 'lastBuildDate' | 'failure'>;

/**
 * Where the documents of mirrored trees are kept, by URL. Lists are in ascending order of URL, by code point.
 */
export interface DocumentStore {
  load(collection: CollectionKey, urls: readonly string[]): Promise<Map<string, TreeDocument>>;
  list(collection: CollectionKey, page: { after?: string; limit: number }): Promise<TreeDocument[]>;
  /** All of a collection, read in steps so that memory stays bounded. */
  all(collection: CollectionKey): AsyncIterable<TreeDocument>;
  /**
   * Records what a download came to, and the copy if one is to be kept from now on. Both a copy and the
   * outcome `unchanged` end `failure`. Makes the document if it is unknown. Every write of this store sets
   * `changed`, except this one if the copy is unchanged and none is given.
   */
  record(collection: CollectionKey, url: string, outcome: DownloadOutcome, copy?: CachedCopy): Promise<void>;
  /**
   * Records what a walk found of these documents, each in place of what an earlier one found; makes those
   * that are unknown. Ends `dropped`.
   */
  describe(collection: CollectionKey, found: readonly FoundDocument[]): Promise<void>;
  /** Records that somebody has requested it; makes it (on demand, not in the cache) if it is unknown. */
  request(collection: CollectionKey, url: string, isFeed: boolean): Promise<void>;
  /** The URLs that somebody has requested, in no order. */
  requested(collection: CollectionKey): Promise<string[]>;
  /** Says of these documents that what somebody requested is there: nobody asks for them any more. */
  endRequests(collection: CollectionKey, urls: readonly string[]): Promise<void>;
  /**
   * Takes the copies of these documents from the cache, and what was merged of them. Of what is on demand,
   * somebody has requested a copy: it is requested again.
   */
  forget(collection: CollectionKey, urls: readonly string[]): Promise<void>;
  /**
   * Takes from the cache every copy with one of these digests, or parsed to it, as `forget` does. Returns the
   * URLs.
   */
  forgetDigests(collection: CollectionKey, digests: readonly string[]): Promise<string[]>;
  markMerged(collection: CollectionKey, url: string, merged: string): Promise<void>;
  /** Says that nothing refers to these documents any more, as the fetch with this manifest found. */
  drop(collection: CollectionKey, manifest: string, urls: readonly string[]): Promise<void>;
  /** The documents that the fetch with this manifest dropped, at most `limit`. */
  dropped(collection: CollectionKey, manifest: string, limit: number): Promise<TreeDocument[]>;
  remove(collection: CollectionKey, urls: readonly string[]): Promise<void>;
  /** Whether any document of the collection has `changed`. */
  hasChanged(collection: CollectionKey): Promise<boolean>;
  /** Ends `changed` of those of these documents that have not been written since they were read. */
  acknowledge(
    collection: CollectionKey,
    documents: readonly Pick<TreeDocument, 'url' | 'changed'>[],
  ): Promise<void>;
  /** How many documents have a copy with each of these digests, or parsed to it; those of none are absent. */
  referring(collection: CollectionKey, digests: readonly string[]): Promise<Map<string, number>>;
}
