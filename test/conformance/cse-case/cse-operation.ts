import type { TreeLimits } from '#cse';
import type { ExpectedBreach } from '../conformance-case.ts';

/** A link as it is expected; what is absent is false. */
export interface ExpectedLink {
  readonly url: string;
  readonly nestedFeed?: boolean;
  readonly onDemand?: boolean;
}

/** An item as it is expected: without a date of 1 January 1601, not hidden and without links where these are absent. */
export interface ExpectedItem {
  readonly id: string;
  readonly lastBuildDate?: string;
  readonly hidden?: boolean;
  readonly links?: readonly ExpectedLink[];
}

export interface ReadOperation {
  readonly operation: 'read';
  /** The address of the feed. */
  readonly url?: string;
  /** The date of the feed is compared where it is given. */
  readonly expected: { readonly lastBuildDate?: string; readonly items: readonly ExpectedItem[] };
}

/** `cached.xml`, where there is one, is what the cache holds of `fetched.xml`. Links are paths from the feed. */
export interface PlanOperation {
  readonly operation: 'plan';
  readonly expected: { readonly isNewer: boolean; readonly download: readonly string[]; readonly dropped: readonly string[] };
}

/** One synchronisation. All names are paths from the root feed, `feed.xml`. */
export interface SyncRound {
  /** Documents that the publisher has no more from now on, answers with an error in this round, or that someone has deleted from the cache before it. */
  readonly gone?: readonly string[];
  readonly failing?: readonly string[];
  readonly lost?: readonly string[];
  /** After how many documents the synchronisation breaks off. */
  readonly interruptedAfter?: number;
  readonly expected: {
    /** Each document that is asked for, each time that it is, in ascending order. */
    readonly requested?: readonly string[];
    /** What the cache then holds: of each document from which round. */
    readonly holds?: Readonly<Record<string, number>>;
    /** The rules by which documents could not be had; none where absent. */
    readonly failures?: Readonly<Record<string, string>>;
  };
}

export interface SyncOperation {
  readonly operation: 'sync';
  readonly limits?: Partial<TreeLimits>;
  readonly rounds: readonly SyncRound[];
}

export type CseOperation =
  | { readonly operation: 'validate'; readonly expected: { readonly breaches: readonly ExpectedBreach[] } }
  | ReadOperation
  | PlanOperation
  | SyncOperation;
