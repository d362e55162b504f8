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

/** What a row is to reach. Each is left out if it is not looked at. */
export interface Goals {
  /** Processor time of all processes together for one operation, in milliseconds, at the most. */
  readonly processorTime?: number;
  /** Operations a second, at the least. */
  readonly rate?: number;
  /** Our rate as a multiple of a reference's, at the least, by the reference's name. */
  readonly ratios?: Readonly<Record<string, number>>;
  /** Milliseconds that one operation may take, at the most: half of them, and 99 of 100. */
  readonly latency?: { readonly median?: number; readonly most: number };
  /** The highest resident set of each of the four services, in MB, at the most. */
  readonly memory?: number;
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
  readonly goals: Goals;
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
  another(settings?: Pick<InstallationSettings, 'services' | 'environment'>): Promise<Installation>;
}

/** Multiplies a size by the scale; at least 1. */
export function scaled(size: number, scale: Scale): number {
  return Math.max(1, Math.round(size * scale.size));
}
