import { setImmediate as nextTurn } from 'node:timers/promises';

/** How often the time of each size is taken; the shortest counts, as other processes only make it longer. */
const rounds = 5;

/**
 * Returns how many times as much processor time work takes with four times the input: some four to six times
 * if it is linear, with caches and garbage, and sixteen times if it is quadratic. Both sizes take turns in
 * this process, after a warm-up.
 * @param size of the smaller input
 * @param prepare makes the work for an input of a size
 */
export async function growthOf(size: number, prepare: (size: number) => () => unknown): Promise<number> {
  const times: [small: number[], large: number[]] = [[], []];
  const works = [prepare(size), prepare(4 * size)] as const;
  for (let round = -1; round < rounds; round += 1)
    for (const [place, work] of works.entries()) {
      const before = process.cpuUsage();
      await work();
      if (round >= 0) times[place]?.push(milliseconds(before));
    }
  return Math.min(...times[1]) / Math.min(...times[0]);
}

/** How often work is repeated at most until the garbage of this process does not disturb it. */
const tries = 4;

/**
 * Returns the longest processor time, in milliseconds, for which work keeps the event loop of this process:
 * of the first try that is below a limit, or of the best one.
 */
export async function longestTurn(limit: number, work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < tries && least >= limit; time += 1)
    least = Math.min(least, await longestTurnOf(work));
  return least;
}

async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  const end = new AbortController();
  const turns: number[] = [];
  const watch = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const before = process.cpuUsage();
      await nextTurn();
      turns.push(milliseconds(before));
    }
  };
  const watched = watch();
  try {
    await work();
  } finally {
    end.abort();
    await watched;
  }
  return turns.reduce((longest, turn) => Math.max(longest, turn), 0);
}

function milliseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
