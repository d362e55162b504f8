/** One part of the work on an input, such as reading it; can be run any number of times. */
export type Step = readonly [name: string, run: () => unknown];

/** Something that takes external input, in one shape, of any size up to a limit. */
export interface GrowthCase {
  /** What it is, as the list of readers names it, and the shape: `readItem: many categories`. */
  readonly name: string;
  /** Which readers, writers and views of the code it runs. */
  readonly covers: readonly string[];
  /** The largest size, in whatever the shape counts. */
  readonly limit: number;
  /** The largest size in the short form, if a longer run shows no more. */
  readonly shortLimit?: number;
  /** Whether the long form alone has it. */
  readonly isLong?: boolean;
  /** Where measuring begins, if the growth shows only from there; default 32. */
  readonly from?: number;
  /** Makes the input, and what is done with it. */
  readonly prepare: (size: number) => readonly Step[];
}
