/** How many requests all fetchers together may send to a group of URLs, such as those of one host. */
export interface BudgetLimits {
  /** Requests a second, in the long run. */
  readonly rate: number;
  /** Requests that may be sent at once after a rest. */
  readonly burst: number;
  /** Requests in flight. */
  readonly connections: number;
}

/** What comes of asking for a request: it may be sent after so many milliseconds, or not yet. */
export type BudgetAnswer =
  | {
      readonly kind: 'granted';
      readonly wait: number;
      /** Gives the place among the requests in flight back; may be called more than once. */
      readonly release: () => void;
    }
  /** Too many are in flight. */
  | { readonly kind: 'busy' }
  /** The rate is used up, or the host wants to be left alone, for so many milliseconds. */
  | { readonly kind: 'used-up' | 'paused'; readonly wait: number };

/** The budgets of groups of requests. */
export interface HostBudget {
  /**
   * Asks for a request to a group. The place is taken at once, also if the request has to wait.
   * @param longest milliseconds that it waits at the most; a longer wait is refused as `used-up`
   */
  take(group: string, limits: BudgetLimits, longest: number): Promise<BudgetAnswer>;
  /**
   * Halves rate and requests in flight of a group, down to a 64th, and pauses it for so many milliseconds.
   * They double again with each `recovery` milliseconds that pass.
   */
  slow(group: string, limits: BudgetLimits, pause: number): Promise<void>;
}

/** In how many milliseconds what was slowed down becomes twice as fast, and how slow it may become. */
export const budgetRecovery = 60_000;
export const slowestShare = 1 / 64;
