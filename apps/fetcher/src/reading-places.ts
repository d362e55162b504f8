import type { Clock } from '#core';
import type { FetchPace, SlowShare } from './slow/fetch-pace.ts';

/** How often a fetch that waits for a place gives a sign of life, in milliseconds. */
const pause = 1000;

/**
 * How many feeds one process reads at the same time: more requests may be waiting for a response. Slow ones
 * take half of the places at most.
 */
export class ReadingPlaces {
  readonly #size: number;
  readonly #clock: Pick<Clock, 'wait'>;
  #taken = 0;
  #slow = 0;
  #waiting: (() => void)[] = [];

  constructor(size: number, clock: Pick<Clock, 'wait'>) {
    this.#size = size;
    this.#clock = clock;
  }

  /**
   * Waits for a place; returns how to give it back.
   * @param heartbeat called from time to time meanwhile; what it throws ends the wait
   * @param pace of the fetch; absent if it is never slow
   */
  async take(heartbeat: () => Promise<void>, pace?: FetchPace): Promise<() => void> {
    while (!this.#isFreeFor(pace)) {
      const freed = new Promise<void>((resolve) => void this.#waiting.push(resolve));
      await Promise.race([freed, this.#clock.wait(pause)]);
      await heartbeat();
    }
    this.#taken += 1;
    let isSlow = false;
    const share: SlowShare = {
      slowDown: () => {
        if (!isSlow && !this.#isSlowFree) return false;
        if (!isSlow) this.#slow += 1;
        isSlow = true;
        return true;
      },
    };
    if (pace?.isDetached === true) share.slowDown();
    const letGo = pace?.hold(share);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      letGo?.();
      this.#taken -= 1;
      if (isSlow) this.#slow -= 1;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) wake();
    };
  }

  #isFreeFor(pace: FetchPace | undefined): boolean {
    return this.#taken < this.#size && (pace?.isDetached !== true || this.#isSlowFree);
  }

  get #isSlowFree(): boolean {
    return this.#slow < Math.max(1, Math.floor(this.#size / 2));
  }
}
