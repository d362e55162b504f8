import type { Cost, CountedStore } from '../../support/growth/counted-store.ts';

/** Something whose cost is counted at two sizes, to see how it grows. */
export interface GrowthCase {
  /** What is counted: `a purge of the feeds`. */
  readonly name: string;
  /** What the size counts: `collections`. */
  readonly unit: string;
  readonly sizes: readonly [number, number];
  /** Makes something of that size in a store that is empty, and counts what the work on it costs. */
  count(under: CountedStore, size: number): Promise<Cost>;
}

/** What a case came to. */
export interface GrowthResult extends Pick<GrowthCase, 'name' | 'unit'> {
  readonly counts: readonly (Cost & { readonly size: number })[];
}
