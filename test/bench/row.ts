import type { Installation, InstallationSettings } from './feedmesh/installation.ts';

/** What one round of a contender came to. */
export interface Sample {
  /** How many operations the round was made of. */
  readonly operations: number;
  /** From the first to the last of them. */
  readonly seconds: number;
  /** The processor time that they took, in seconds, by process; absent if nothing but time is measured. */
  readonly processorTime?: Readonly<Record<string, number>>;
  /** How long each operation took, in milliseconds; absent if that is not looked at. */
  readonly latencies?: readonly number[];
  /** The highest resident set of each process so far, in MB; absent if that is not looked at. */
  readonly memory?: Readonly<Record<string, number>>;
}

/** One side of a row: Feedmesh, or what it is held against, which may be Feedmesh at another size. */
export interface Contender {
  readonly name: string;
  /** Runs one round. */
  run(): Promise<Sample>;
}

/** A figure that a goal can limit; `median` and `most` are milliseconds of single operations. */
export type Figure = 'rate' | 'processorTime' | 'median' | 'most' | 'memory';

/** A limit of a figure, or of a contender's figure as a multiple of another contender's. */
export interface Goal {
  /** `rate` is in operations a second, `processorTime` in ms, `memory` in MB of the largest service. */
  readonly figure: Figure;
  /** The name of the contender; ours if absent. */
  readonly of?: string;
  /** The name of the contender whose figure is 1. */
  readonly beside?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A row that is ready to be measured. */
export interface Contest {
  readonly ours: Contender;
  readonly references: readonly Contender[];
  close?(): Promise<void>;
}

/** How much of everything a run of the benchmark takes. */
export interface Scale {
  /** Rounds of each contender. */
  readonly rounds: number;
  /** What the sizes of the rows are multiplied by: 1, or less in the short form. */
  readonly size: number;
}

/** One line of the table: an operation of Feedmesh beside what bounds it. */
export interface Row {
  /** What `--row` calls it. */
  readonly name: string;
  /** What one operation is: `a poll that finds nothing new`. */
  readonly operation: string;
  readonly goals: readonly Goal[];
  /**
   * How many rounds it takes at the most, without one to warm up: what one round comes to does not depend on
   * the one before it. Absent if it takes as many as the scale says.
   */
  readonly rounds?: number;
  open(world: World, scale: Scale): Promise<Contest>;
}

/** What rows are measured with. */
export interface World {
  readonly redisUrl: string;
  readonly mongodbUri: string;
  /** The four services on these databases; started when a row first requests them. */
  installation(): Promise<Installation>;
  /** Starts another installation beside it, with databases of its own; whoever calls stops it. */
  another(
    settings?: Pick<InstallationSettings, 'services' | 'environment' | 'gateways'>,
  ): Promise<Installation>;
}

/** Multiplies a size by the scale; at least 1. */
export function scaled(size: number, scale: Scale): number {
  return Math.max(1, Math.round(size * scale.size));
}
