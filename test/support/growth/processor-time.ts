import { setImmediate as nextTurn } from 'node:timers/promises';

/** How often the time of each size is taken; the shortest counts, as other processes only make it longer. */
const rounds = 5;

/**
 * Returns how many times as much processor time work takes with twice the input. Both sizes take turns in
 * this process, after a warm-up.
 * @param size of the smaller input
 * @param prepare makes the work for an input of a size
 */
export async function growthOf(size: number, prepare: (size: number) => () => unknown): Promise<number> {
  const times: [small: number[], large: number[]] = [[], []];
  const works = [prepare(size), prepare(2 * size)] as const;
  for (let round = -1; round < rounds; round += 1)
    for (const [place, work] of works.entries()) {
      const before = process.cpuUsage();
      await work();
      if (round >= 0) times[place]?.push(milliseconds(before));
    }
  return Math.min(...times[1]) / Math.min(...times[0]);
}

/** Returns the longest processor time, in milliseconds, for which work keeps the event loop of this process. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
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
