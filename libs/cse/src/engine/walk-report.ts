import type { Failure } from './download.ts';

/** How far a walk is. What is to be downloaded becomes known on the way, so `total` grows. */
export interface Progress {
  /** Downloads that came to an end, well or not. */
  readonly done: number;
  /** Downloads so far. */
  readonly total: number;
  /** Of what arrived and is kept. */
  readonly bytes: number;
  /** Documents that failed; those that a limit kept from being requested too. */
  readonly failed: number;
}

/** What a walk leaves. */
export interface WalkEnd {
  /** What the tree refers to, on demand too; what of it is in the cache stays there. */
  readonly keep: ReadonlySet<string>;
  /**
   * What the cache held before and nothing in the tree refers to any more. Empty if the walk is not done
   * or the root is not known.
   */
  readonly drop: ReadonlySet<string>;
  readonly failures: readonly Failure[];
}
