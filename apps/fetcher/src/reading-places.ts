import type { Clock } from '#core';

/** How often a fetch that waits for a place gives a sign of life, in milliseconds. */
const pause = 1000;

/** How many feeds one process reads at the same time: more requests may be waiting for a response. */
export class ReadingPlaces {
  readonly #size: number;
  readonly #clock: Pick<Clock, 'wait'>;
  #taken = 0;
  #waiting: (() => void)[] = [];

  constructor(size: number, clock: Pick<Clock, 'wait'>) {
    this.#size = size;
    this.#clock = clock;
  }

  /**
   * Waits for a place; returns how to give it back.
   * @param heartbeat called from time to time meanwhile; what it throws ends the wait
   */
  async take(heartbeat: () => Promise<void>): Promise<() => void> {
    while (this.#taken >= this.#size) {
      const freed = new Promise<void>((resolve) => void this.#waiting.push(resolve));
      await Promise.race([freed, this.#clock.wait(pause)]);
      await heartbeat();
    }
    this.#taken += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken -= 1;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) wake();
    };
  }
}
