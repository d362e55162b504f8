/** What the service answers, as far as it is shown to people; `-o json` prints the whole answer. */
export interface CollectionAnswer {
  readonly name: string;
  readonly title: string;
  readonly protocol: string;
  readonly format: string;
  readonly endpoint: string;
  /** Where its changes have got to. */
  readonly cursor: string;
}

interface HistoryAnswer {
  readonly sequence: number;
  readonly when?: string;
  readonly by?: string;
}

/** One version of an item. */
export interface VersionAnswer {
  readonly id: string;
  readonly title?: string;
  readonly summary?: string;
  readonly content?: string;
  readonly link?: string;
  readonly categories?: readonly string[];
  readonly deleted: boolean;
  readonly sync: { readonly updates: number; readonly noconflicts?: boolean; readonly history: readonly HistoryAnswer[] };
}

/** An item with its conflicts, the next winner first. */
export interface ItemAnswer extends VersionAnswer {
  readonly conflicts: readonly VersionAnswer[];
  /** What its ETag holds. */
  readonly revision: number;
}

export interface SubscriptionAnswer {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly nextFetchAt?: string;
  readonly nextFetchReason?: string;
  readonly failures?: number;
  readonly last?: { readonly at: string; readonly outcome: string; readonly reason?: string };
}
