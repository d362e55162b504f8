import type { TreeLimits } from '#cse';

/** How the documents of trees are fetched. Times are in milliseconds. */
export interface TreeSettings {
  readonly limits: TreeLimits;
  /** Documents in a download job at most. */
  readonly batch: number;
  /** Download jobs of one walk that are in progress, altogether and of one host. */
  readonly parallel: number;
  readonly parallelPerHost: number;
  /** The longest pause between two looks at what has arrived. */
  readonly poll: number;
  /** How long a download job may be silent before it is sent again; twice as long with every further time. */
  readonly resend: number;
  /** The shortest time between two notices of progress. */
  readonly progress: number;
}
