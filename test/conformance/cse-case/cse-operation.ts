import type { TreeLimits } from '#cse';
import type { CollectionSettings } from '#core';
import type { ExpectedViolation } from '../conformance-case.ts';

/** A link as it is expected; what is absent is false. */
export interface ExpectedLink {
  readonly url: string;
  readonly nestedFeed?: boolean;
  readonly onDemand?: boolean;
}

/**
 * An item as it is expected: without a date of 1 January 1601, not hidden and without links if these are
 * absent.
 */
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
  /** The date of the feed is compared if it is given. */
  readonly expected: { readonly lastBuildDate?: string; readonly items: readonly ExpectedItem[] };
}

/**
 * `cached.xml`, if there is one, is what the cache holds of `fetched.xml`. Links are paths from the feed.
 */
export interface PlanOperation {
  readonly operation: 'plan';
  readonly expected: {
    readonly isNewer: boolean;
    readonly download: readonly string[];
    readonly dropped: readonly string[];
  };
}

/** One synchronisation. All names are paths from the root feed, `feed.xml`. */
export interface SyncRound {
  /**
   * Documents that the publisher has no more from now on, answers with an error in this round, or that
   * someone has deleted from the cache before it.
   */
  readonly gone?: readonly string[];
  readonly failing?: readonly string[];
  readonly lost?: readonly string[];
  /** After how many documents the synchronisation breaks off. */
  readonly interruptedAfter?: number;
  readonly expected: {
    /** Each document that is requested, each time that it is, in ascending order. */
    readonly requested?: readonly string[];
    /** What the cache then holds: of each document from which round. */
    readonly holds?: Readonly<Record<string, number>>;
    /** The rules by which documents could not be fetched; none if absent. */
    readonly failures?: Readonly<Record<string, string>>;
  };
}

export interface SyncOperation {
  readonly operation: 'sync';
  readonly limits?: Partial<TreeLimits>;
  readonly rounds: readonly SyncRound[];
}

/**
 * A csx:link that an item gets: to a file with this text, to a feed of the tree by its id, or to anything
 * else.
 */
export type CaseLink = { readonly onDemand?: boolean } & (
  | { readonly text: string; readonly name?: string }
  | { readonly feed: string }
  | { readonly url: string; readonly nestedFeed?: boolean }
);

/** An edit of an item in a tree of our own. */
export interface TreeCaseEdit {
  readonly action: 'create' | 'update' | 'delete' | 'undelete';
  /** `<feed>:<guid>`; absent of a new item. */
  readonly id?: string;
  readonly feed?: string;
  readonly guid?: string;
  readonly hidden?: boolean;
  /** What the item says: a title, or an RSS item. Where both are absent it stays as it is. */
  readonly title?: string;
  readonly xml?: string;
  readonly links?: readonly CaseLink[];
  /** The rule or the error by which it must be refused. */
  readonly refused?: string;
}

/**
 * Feeds are made or changed first, then the edits follow; all of them are published together, unless that is
 * put off.
 */
export interface TreeStep {
  readonly at: string;
  readonly feeds?: Readonly<
    Record<string, { readonly title?: string; readonly description?: string; readonly link?: string }>
  >;
  readonly edits?: readonly TreeCaseEdit[];
  readonly removeFeeds?: readonly string[];
  readonly unpublished?: boolean;
  /** The feed before whose new date the publisher breaks off; the next one goes on with it. */
  readonly publishedUntil?: string;
  /**
   * By the ids of feeds: the guids of the items that a viewer shows which hides what is to be hidden, and
   * those that another one does.
   */
  readonly shown?: Readonly<
    Record<string, { readonly hiding: readonly string[]; readonly all: readonly string[] }>
  >;
}

export interface PublishTreeOperation {
  readonly operation: 'publish';
  readonly steps: readonly TreeStep[];
}

/** One synchronisation of a mirror. All names are paths from the root feed, `feed.xml`. */
export interface MirrorRound extends Pick<SyncRound, 'gone' | 'failing'> {
  readonly at: string;
  /**
   * What somebody requests on demand before: links by the guid of their item and their number in it, from 0.
   */
  readonly ask?: readonly { readonly guid: string; readonly link: number }[];
  /** What is absent is not compared, but for failures, of which there are none then. */
  readonly expected?: {
    readonly requested?: readonly string[];
    readonly failures?: Readonly<Record<string, string>>;
    /** The feeds that are then mirrored. */
    readonly feeds?: readonly string[];
  };
}

export interface MirrorTreeOperation {
  readonly operation: 'mirror';
  readonly settings?: Pick<CollectionSettings, 'links' | 'refreshOnDemand'>;
  readonly rounds: readonly MirrorRound[];
}

export type CseOperation =
  | {
      readonly operation: 'validate';
      readonly expected: { readonly violations: readonly ExpectedViolation[] };
    }
  | ReadOperation
  | PlanOperation
  | SyncOperation
  | PublishTreeOperation
  | MirrorTreeOperation;
