import type { FetchTransfer } from './fetch-history.ts';
import type { Violation } from '#xml';
import type { CollectionKey, SubscriptionId } from '#contracts';
import type { Rhythm } from './rhythm.ts';
import type { Cursor, FeedSummary, NextFetch, StatedSchedule, TreeProgress } from './subscription.ts';

/** What merging one batch came to. */
export interface BatchReport {
  /** Items that were rejected into the dead letters. */
  readonly rejected: number;
  /** Items that were left out since they have no synchronisation data; none if absent. */
  readonly plain?: number;
  /** The limit of the tenant by which items were left out, as a sentence; absent if none were. */
  readonly exceeded?: string;
  /** Where the feed departs from the rules and was taken in all the same. */
  readonly violations?: readonly Violation[];
}

/** How many violations a manifest keeps, the first ones. */
export const reportedViolations = 20;

/** The record of one fetch: what has to be merged before the subscription's cursor may move. */
export interface Manifest {
  readonly id: string;
  readonly collection: CollectionKey;
  readonly subscription: SubscriptionId;
  readonly openedAt: Date;
  /** When it was opened, sealed, or a batch of it was marked as done, whichever was last. */
  readonly touchedAt: Date;
  /**
   * What the cursor becomes once all is merged, when the next fetch is due, and what to report; absent until
   * the whole feed has been read.
   */
  readonly seal?: ManifestSeal;
  /** The batches that are merged, by number from 0. */
  readonly done: readonly number[];
  /** Items that were rejected into the dead letters so far. */
  readonly rejected: number;
  /** Items that were left out so far since they have no synchronisation data; absent if there are none. */
  readonly plain?: number;
  /** The limit of the tenant by which items were left out last, as a sentence; absent if none were. */
  readonly exceeded?: string;
  /**
   * Where the feed departs from the rules, the first `reportedViolations` of them; absent if none was
   * found.
   */
  readonly violations?: readonly Violation[];
}

export interface ManifestSeal extends NextFetch {
  readonly cursor: Cursor;
  /** What the feed said of the next fetch, and when it has changed so far. */
  readonly stated?: StatedSchedule;
  readonly rhythm?: Rhythm;
  /** How many batches were enqueued. */
  readonly batches: number;
  /** How many different items the feed held, and how many of them were already known. */
  readonly items: number;
  readonly known: number;
  /** How many items the fetcher has put into the dead letters; none if absent. */
  readonly refused?: number;
  /**
   * Whether the subscriber had fallen out of the feed's window and read the complete feed again (FeedSync
   * 4.1.2).
   */
  readonly resynced: boolean;
  /** Of a tree: how far the walk came. */
  readonly progress?: TreeProgress;
  /** Of a tree: the limit of the tenant by which documents are missing, as a sentence. */
  readonly exceeded?: string;
  /** What the feed's head says. */
  readonly feed?: FeedSummary;
  /** Where the head departs from the rules. */
  readonly violations?: readonly Violation[];
  /** What the fetch took until then. */
  readonly transfer?: FetchTransfer;
}

/** Whether the whole feed has been read and every batch of it is merged. */
export function isWhole(manifest: Manifest): manifest is Manifest & { readonly seal: ManifestSeal } {
  return manifest.seal !== undefined && manifest.done.length >= manifest.seal.batches;
}

export interface ManifestStore {
  open(manifest: Manifest): Promise<void>;
  /** Returns the sealed manifest; undefined if it no longer exists. */
  seal(collection: CollectionKey, id: string, seal: ManifestSeal, now: Date): Promise<Manifest | undefined>;
  /**
   * Marks a batch as merged, once however often it is said; returns the manifest as it now is, undefined
   * if it no longer exists.
   */
  done(
    collection: CollectionKey,
    id: string,
    batch: number,
    report: BatchReport,
    now: Date,
  ): Promise<Manifest | undefined>;
  find(collection: CollectionKey, id: string): Promise<Manifest | undefined>;
  /** Says that something is happening in it; nothing if it no longer exists. */
  touch(collection: CollectionKey, id: string, now: Date): Promise<void>;
  remove(collection: CollectionKey, id: string): Promise<void>;
  /**
   * Manifests that are whole (sealed, all batches done), or in which nothing has happened since the given
   * time; the longest quiet first.
   */
  unfinished(quietSince: Date, limit: number): Promise<Manifest[]>;
}
