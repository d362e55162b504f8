import { threadTime } from './thread-time.ts';
import type { GrowthCase, Step } from './growth-case.ts';

/** How much is measured. */
export interface Effort {
  /** Milliseconds of processor time that the largest run should take, unless the limit comes before. */
  readonly target: number;
  /** Whether sizes stay below the limits of the short form. */
  readonly isShort: boolean;
}

/** How the processor time of a case grows. */
export interface Growth {
  readonly name: string;
  /** The last two sizes; the second one is at most twice the first. */
  readonly sizes: readonly [number, number];
  /** Milliseconds of processor time that each takes. */
  readonly times: readonly [number, number];
  /**
   * By how much the time grows with twice the size; 1 if it is too short to matter at the largest size. Where
   * the last doubling is over the limit, the mean of the last three counts if it is lower: work that leaves
   * the processor's cache grows faster once, quadratic work at each.
   */
  readonly factor: number;
  /** What each step came to alone, if the factor is too high. */
  readonly steps?: Readonly<Record<string, number>>;
  /** The message of an error that is none of a reader: a stack that is too deep, a text that is too long. */
  readonly crash?: string;
}

/** With twice the input, the time may grow by this factor. */
export const maximumFactor = 2.3;

/** A run of fewer milliseconds at the largest size harms nobody, and can't be measured. */
const negligible = 4;
/** How often each size is run, and how often that is done again before a factor counts as too high. */
const [runs, repetitions] = [2, 4];
/** A case over the limit is measured with larger input, up to runs of this many times the target. */
const longer = 16;

/**
 * Measures how the processor time of a case grows. This process must do no other work and have no other
 * threads (`--single-threaded`). Other processes can only slow it by using the processor's cache, which
 * matters less in longer runs: a case exceeds the limit only if it does at each larger size too.
 */
export async function measureGrowth(growthCase: GrowthCase, effort: Effort): Promise<Growth> {
  const { name, limit, shortLimit = limit } = growthCase;
  const largest = effort.isShort ? Math.min(limit, shortLimit) : limit;
  let top = Math.min(growthCase.from ?? 32, largest);
  let work = growthCase.prepare(top);
  try {
    let time = await once(work);
    while (time < effort.target && top < largest) {
      top = Math.min(top * 2, largest);
      work = growthCase.prepare(top);
      time = await once(work);
    }
    if (time < negligible) return { name, sizes: [Math.ceil(top / 2), top], times: [0, time], factor: 1 };
    let former = growthCase.prepare(Math.ceil(top / 2));
    let times = await steadyTimes(former, work);
    while (factorOf(times) > maximumFactor && top < limit && times[1] < effort.target * longer) {
      top = Math.min(top * 2, limit);
      work = growthCase.prepare(top);
      former = growthCase.prepare(Math.ceil(top / 2));
      times = await steadyTimes(former, work);
    }
    const sizes = [Math.ceil(top / 2), top] as const;
    let factor = factorOf(times);
    if (factor > maximumFactor) {
      const [eighth, whole] = await fastest([growthCase.prepare(Math.ceil(top / 8)), work], 'major');
      factor = Math.min(factor, Math.cbrt(Math.min(whole, times[1]) / eighth));
    }
    const growth = { name, sizes, times, factor };
    return factor > maximumFactor ? { ...growth, steps: await stepFactors(former, work) } : growth;
  } catch (error) {
    if (!isCrash(error)) throw error;
    return { name, sizes: [0, top], times: [0, 0], factor: Infinity, crash: error.message };
  }
}

/** The shortest times of the two, measured again while the second one is over the limit. */
async function steadyTimes(former: readonly Step[], latter: readonly Step[]): Promise<[number, number]> {
  let times = await fastest([former, latter], 'minor');
  for (let again = 0; factorOf(times) > maximumFactor && again < repetitions; again += 1) {
    const others = await fastest([former, latter], 'major');
    if (factorOf(others) < factorOf(times)) times = others;
  }
  return times;
}

/** Whether an error is one of the engine, which no reader refuses its input with. */
function isCrash(error: unknown): error is Error {
  return error instanceof RangeError && /^(?:Maximum|Invalid) /.test(error.message);
}

function factorOf([one, two]: readonly [number, number]): number {
  return two < negligible ? 1 : two / one;
}

/**
 * The shortest time of each of the two, run in turn.
 * @param cleaning what garbage is collected before each run: what is left may be collected within it
 */
async function fastest(
  works: readonly [readonly Step[], readonly Step[]],
  cleaning: 'minor' | 'major',
): Promise<[number, number]> {
  const times: [number, number] = [Infinity, Infinity];
  for (let run = 0; run < runs; run += 1)
    for (const place of [0, 1] as const)
      times[place] = Math.min(times[place], await onceAfterCleaning(works[place], cleaning));
  return times;
}

async function stepFactors(
  former: readonly Step[],
  latter: readonly Step[],
): Promise<Record<string, number>> {
  const factors: Record<string, number> = {};
  for (const [place, step] of latter.entries()) {
    const [one, two] = await fastest([former.slice(place, place + 1), [step]], 'major');
    factors[step[0]] = Math.round((two / one) * 100) / 100;
  }
  return factors;
}

/** Milliseconds of processor time that the steps take. */
async function onceAfterCleaning(steps: readonly Step[], type: 'minor' | 'major'): Promise<number> {
  globalThis.gc?.({ type });
  return once(steps);
}

async function once(steps: readonly Step[]): Promise<number> {
  const before = threadTime();
  for (const [, run] of steps) await attempt(run);
  return threadTime() - before;
}

/** Runs a step; that it refuses its input is as good as that it takes it. */
async function attempt(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isCrash(error)) throw error;
  }
}
