import type { Goal, Row, Sample } from './row.ts';

/** Minimum, median and maximum of several rounds. */
export interface Spread {
  readonly minimum: number;
  readonly median: number;
  readonly maximum: number;
}

/** What all rounds of one contender came to, for one operation. */
export interface ContenderResult {
  readonly name: string;
  /** Milliseconds from one end of an operation to the next. */
  readonly milliseconds: Spread;
  /** Operations a second, of the median round. */
  readonly rate: number;
  /** Processor time in milliseconds, by process and in all, medians; absent if it is not measured. */
  readonly processorTime?: { readonly all: Spread; readonly byProcess: Readonly<Record<string, number>> };
  /** Milliseconds of single operations: half of them, and 99 of 100, take at most so long. */
  readonly latency?: { readonly median: number; readonly most: number };
  /** The highest resident set of each process in any round, in MB; absent if it is not measured. */
  readonly memory?: Readonly<Record<string, number>>;
}

/** What Feedmesh is held against, and how it compares. */
export interface ReferenceResult extends ContenderResult {
  /** Our rate as a multiple of its rate. */
  readonly ratio: number;
  /** Our processor time for one operation as a multiple of its; absent if one of them is not measured. */
  readonly processorTimeRatio?: number;
}

/** A measured row. */
export interface RowResult {
  readonly name: string;
  readonly operation: string;
  readonly goals: readonly Goal[];
  readonly ours: ContenderResult;
  readonly references: readonly ReferenceResult[];
}

/** @param samples the rounds of each contender by its name, ours first */
export function summarize(row: Row, samples: ReadonlyMap<string, readonly Sample[]>): RowResult {
  const [ours, ...references] = [...samples].map(([name, rounds]) => summarizeContender(name, rounds));
  if (ours === undefined) throw new Error(`row ${row.name} has no contender`);
  return {
    name: row.name,
    operation: row.operation,
    goals: row.goals,
    ours,
    references: references.map((reference) => compare(ours, reference)),
  };
}

function compare(ours: ContenderResult, reference: ContenderResult): ReferenceResult {
  const [spent, other] = [ours, reference].map(({ processorTime }) => processorTime?.all.median);
  return {
    ...reference,
    ratio: ours.rate / reference.rate,
    ...(spent !== undefined && other !== undefined && { processorTimeRatio: spent / other }),
  };
}

function summarizeContender(name: string, samples: readonly Sample[]): ContenderResult {
  const milliseconds = spreadOf(samples.map(({ seconds, operations }) => (seconds * 1000) / operations));
  const latencies = samples.flatMap((sample) => sample.latencies ?? []);
  const processorTime = processorTimeOf(samples);
  const memory = memoryOf(samples);
  return {
    name,
    milliseconds,
    rate: 1000 / milliseconds.median,
    ...(processorTime && { processorTime }),
    ...(latencies.length > 0 && {
      latency: { median: quantile(latencies, 0.5), most: quantile(latencies, 0.99) },
    }),
    ...(memory && { memory }),
  };
}

function memoryOf(samples: readonly Sample[]): ContenderResult['memory'] {
  const rounds = samples.flatMap(({ memory = {} }) => Object.entries(memory));
  if (rounds.length === 0) return undefined;
  const most = new Map<string, number>();
  for (const [name, megabytes] of rounds) most.set(name, Math.max(megabytes, most.get(name) ?? 0));
  return Object.fromEntries(most);
}

function processorTimeOf(samples: readonly Sample[]): ContenderResult['processorTime'] {
  const rounds = samples.flatMap(({ processorTime, operations }) =>
    processorTime === undefined
      ? []
      : [
          Object.fromEntries(
            Object.entries(processorTime).map(([name, time]) => [name, (time * 1000) / operations]),
          ),
        ],
  );
  if (rounds.length === 0) return undefined;
  const names = Object.keys(rounds[0] ?? {});
  return {
    all: spreadOf(rounds.map((round) => Object.values(round).reduce((sum, time) => sum + time, 0))),
    byProcess: Object.fromEntries(
      names.map((name) => [name, spreadOf(rounds.map((round) => round[name] ?? 0)).median]),
    ),
  };
}

/** Throws if there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('nothing was measured');
  return { minimum: quantile(values, 0), median: quantile(values, 0.5), maximum: quantile(values, 1) };
}

/** The least of the values that is not below the given share of them. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((x, y) => x - y);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
