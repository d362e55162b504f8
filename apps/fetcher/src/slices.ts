import { setImmediate } from 'node:timers/promises';

/** How long one feed is read before others get a turn, in milliseconds. */
const longestSlice = 20;

/** The turns of long work that does not wait for anything. */
export class Slices {
  #began = performance.now();

  /** Lets others have a turn if this one has been long. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < longestSlice) return;
    await setImmediate();
    this.#began = performance.now();
  }
}
