import type { TreeProgress } from '#core';

/** What the service answers, as far as it is shown to people; `-o json` prints the whole answer. */
export interface CollectionAnswer {
  readonly name: string;
  readonly title: string;
  readonly protocol: string;
  readonly format: string;
  readonly endpoint: string;
  /** Where its changes have got to. */
  readonly cursor: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** `tree` if the collection is a tree of feeds. */
  readonly links: { readonly feed: string; readonly tree?: string };
}

/** The content of one version, as far as its format has fields for it. */
export interface FieldsAnswer {
  readonly title?: string;
  readonly summary?: string;
  readonly content?: string;
  readonly link?: string;
  readonly categories?: readonly string[];
  /** Of an outline, by name. */
  readonly attributes?: Readonly<Record<string, string>>;
}

interface ModificationAnswer {
  readonly when?: string;
  readonly by?: string;
}

/** One version of an item of FeedSync. */
export interface VersionAnswer extends FieldsAnswer {
  readonly id: string;
  readonly deleted: boolean;
  readonly sync: {
    readonly updates: number;
    readonly noconflicts?: boolean;
    readonly history: readonly (ModificationAnswer & { readonly sequence: number })[];
  };
}

/** An item of FeedSync with its conflicts, the next winner first. */
interface FeedSyncItemAnswer extends VersionAnswer {
  readonly conflicts: readonly VersionAnswer[];
  /** What its ETag holds. */
  readonly revision: number;
}

/** A modification of an item of SSE that lost (SSE 5.2). */
export interface ConflictAnswer extends FieldsAnswer, ModificationAnswer {
  readonly version: number;
  readonly deleted?: boolean;
}

/** An item of SSE. */
export interface SseItemAnswer extends FieldsAnswer {
  readonly id: string;
  readonly deleted: boolean;
  readonly sync: {
    readonly version: number;
    readonly conflict: boolean;
    readonly history: readonly ModificationAnswer[];
  };
  readonly conflicts: readonly ConflictAnswer[];
  /**
   * In an ordered collection: the item that it stands in, null below the root, and its index among those
   * below the same one.
   */
  readonly parent?: string | null;
  readonly position?: number;
  readonly revision: number;
}

export type ItemAnswer = FeedSyncItemAnswer | SseItemAnswer;

export interface SubscriptionAnswer {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly nextFetchAt?: string;
  readonly nextFetchReason?: string;
  readonly isFetching?: boolean;
  readonly failures?: number;
  readonly last?: FetchAnswer;
  /** How many of its items were refused because someone else signs as this endpoint does. */
  readonly signedElsewhere?: number;
  /** Of a tree: how far the walk in progress is, or how far the last one came. */
  readonly progress?: TreeProgress;
}

/** What a fetch came to. */
export interface FetchAnswer {
  readonly at: string;
  readonly outcome: 'fetched' | 'not-modified' | 'failed' | 'gone';
  readonly reason?: string;
  readonly rule?: string;
  readonly items?: number;
  readonly rejected?: number;
  /** Left out since they have no synchronisation data. */
  readonly plain?: number;
  /** Of a tree. */
  readonly progress?: TreeProgress;
}

/** Something that was rejected, an item or a command. */
export interface DeadLetterAnswer {
  readonly id: string;
  /** Empty of a command that named none. */
  readonly collection: string;
  readonly subscription?: string;
  readonly kind: string;
  readonly fragment?: { readonly id?: string };
  readonly command?: { readonly name: string };
  readonly violations: readonly ViolationAnswer[];
  readonly at: string;
}

interface ViolationAnswer {
  readonly rule: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** What an OPML document changed in a collection of outlines. */
export interface ImportAnswer {
  readonly created: number;
  readonly updated: number;
  readonly moved: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** What became of the feeds of a subscription list. */
export interface SubscribedListAnswer {
  readonly created: number;
  readonly existing: number;
  readonly refused: readonly { readonly xmlUrl: string; readonly text?: string; readonly message: string }[];
}
