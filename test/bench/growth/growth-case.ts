/** What was counted, by what it is, in the plural: `{ operations: 7, documents: 3 }`. */
export type Counts = Readonly<Record<string, number>>;

/** Something whose cost is counted at two sizes, to see how it grows. */
export interface GrowthCase {
  /** What is counted: `a purge of the feeds`. */
  readonly name: string;
  /** What the size counts: `collections`. */
  readonly unit: string;
  readonly sizes: readonly [number, number];
  /** Makes something of that size, in databases that are empty, and counts what the work on it costs. */
  count(size: number): Promise<Counts>;
}

/** What a case came to. */
export interface GrowthResult extends Pick<GrowthCase, 'name' | 'unit'> {
  /** By size, the smaller one first. */
  readonly counts: readonly { readonly size: number; readonly counts: Counts }[];
}
