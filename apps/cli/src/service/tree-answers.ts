import type { ItemAnswer, FieldsAnswer } from './answers.ts';

type State = 'cached' | 'stale' | 'on-demand' | 'failed' | 'waiting';

/** Why a document, or its newer version, could not be had. */
interface FailureAnswer {
  readonly rule: string;
  readonly reason: string;
}

/** A csx:link. */
export interface LinkAnswer {
  /** Where it leads in our feed. */
  readonly url: string;
  /** Where it leads at the source of a mirror. */
  readonly source?: string;
  readonly onDemand: boolean;
  /** The id of the feed of this tree that it leads to. */
  readonly feed?: string;
  readonly file?: {
    readonly digest: string;
    readonly name: string;
    readonly length: number;
    readonly type?: string;
  };
  /** Absent of what is not followed. */
  readonly state?: State;
  readonly reason?: FailureAnswer;
}

/** An item as it is told of with its feed. */
export interface BranchAnswer {
  readonly id: string;
  readonly title?: string;
  readonly hidden: boolean;
  readonly lastBuildDate?: string;
  readonly links: readonly LinkAnswer[];
}

/** An item of a tree (CSE). */
export interface TreeItemAnswer extends BranchAnswer, FieldsAnswer {
  readonly feed: string;
  readonly guid: string;
  readonly deleted: boolean;
  readonly version: number;
  /** What its ETag holds. */
  readonly revision: number;
}

export interface TreeFeedAnswer {
  readonly id: string;
  readonly title: string;
  readonly source?: string;
  readonly state: State;
}

/** One page of a feed of a tree. */
export interface TreeAnswer {
  readonly feed: TreeFeedAnswer;
  readonly items: readonly BranchAnswer[];
  readonly next?: string;
}

/** A document that a mirrored tree refers to. */
export interface DocumentAnswer {
  readonly url: string;
  readonly state: State;
  readonly reason?: FailureAnswer;
}

/** An item of any protocol. */
export type AnyItem = ItemAnswer | TreeItemAnswer;
