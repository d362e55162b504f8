import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a condition holds; throws where it does not within 20 seconds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await holds()); await wait(20)) {
    if (Date.now() > deadline) throw new Error(`did not become true: ${holds.toString()}`);
  }
}
