import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between two looks. */
const pause = 10;
/** Milliseconds until a benchmark gives up. */
const timeout = 600_000;

/** Resolves once `holds` does; throws with `what` if that takes more than ten minutes. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeout;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeout / 1000} s: ${what}`);
    await wait(pause);
  }
}
