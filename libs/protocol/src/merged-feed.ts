import type { FeedHead, Fragment, Violation } from '#xml';
import type { SharedContent } from '#core';

/** What became of an item: `plain` has no sync data; a rejected one is left out, its errors say why. */
export type Taken =
  | { readonly kind: 'new' | 'changed' | 'unchanged' | 'plain' }
  | { readonly kind: 'rejected'; readonly violations: readonly Violation[] };

/** What feeds of one protocol merge into, one after the other; the first is the local one. */
export interface MergedFeed {
  /**
   * Reads an item of the current feed and merges it. Plain items of the local feed are kept where they stand,
   * others left out. Returns undefined for a further version of an item in this feed, which `end` merges.
   */
  take(fragment: Fragment): Taken | undefined;
  /** Ends the current feed. Returns the outcomes of its further versions. */
  end(head: FeedHead): readonly Taken[];
  readonly items: readonly SharedContent[];
  /** What stands between the start and the end of the merged feed, under this head. */
  write(head: FeedHead): Iterable<string>;
}
