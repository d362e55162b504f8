import type { Violation, Fragment } from '#xml';

/** Examines the items of a feed in order. */
export interface ItemExamination {
  /**
   * Returns the violations of one item, those that come of it and an earlier one too; `isSynced` says whether
   * it has sync data.
   */
  examine(fragment: Fragment): { readonly isSynced: boolean; readonly violations: readonly Violation[] };
}
