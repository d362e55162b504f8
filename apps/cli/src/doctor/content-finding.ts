import type { CollectionKey } from '#core';

/** What of a collection's tree refers to a content. */
export interface References {
  /** How many items, and the ids of the first ones. */
  itemCount: number;
  readonly items: string[];
  /** The URLs that it is the copy of, in a mirror. */
  readonly documents: string[];
}

/**
 * What a repair has done, or found it can't: `requested` is downloaded with the next fetch, `paused` once the
 * subscription is resumed.
 */
export type RepairOutcome = 'requested' | 'paused' | 'removed' | 'lost';

/** A content whose bytes are not what they were, or one that is referred to and missing. */
export interface ContentFinding extends Readonly<References> {
  readonly digest: string;
  readonly problem: 'damaged' | 'missing';
  /** Absent if nothing was repaired. */
  readonly outcome?: RepairOutcome;
}

/** What was found in one collection. */
export interface ContentReport {
  readonly collection: CollectionKey;
  /** How many contents were read, and their bytes. */
  readonly contents: number;
  readonly bytes: number;
  /**
   * Those that nothing refers to, and since when that is known of the first; the publisher removes them in
   * time.
   */
  readonly unreferenced: { readonly contents: number; readonly bytes: number; readonly since?: string };
  readonly findings: readonly ContentFinding[];
}
