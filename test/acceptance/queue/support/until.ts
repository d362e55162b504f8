import { promises as timers } from 'node:timers';

/** Waits until the condition holds; the test's own time limit ends it where it never does. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await timers.setTimeout(10);
}
