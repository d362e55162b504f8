import { performance } from 'node:perf_hooks';
import { FetchError } from '#core';
import type { ServerWaits } from '#core';
import { httpFetchVariables } from './settings.ts';

/** How long one wait may take, and the error of one that takes longer. */
interface WaitLimit {
  readonly seconds: number;
  readonly error: () => FetchError;
}

/** Counts the time that one fetch waits for servers, and ends the fetch when there is none left. */
export class UpstreamTime {
  readonly #total: number;
  readonly #waits: ServerWaits | undefined;
  /** How many seconds the fetch has waited. */
  waited = 0;

  constructor(totalSeconds: number, waits?: ServerWaits) {
    this.#total = totalSeconds;
    this.#waits = waits;
  }

  /**
   * Waits for the work; calls `end` with a `FetchError` when this wait is over its limit, or
   * (`http-timeout`) the total time is used up.
   */
  async wait<T>(work: () => Promise<T>, end: (error: FetchError) => void, limit?: WaitLimit): Promise<T> {
    const began = performance.now();
    const left = this.#total - this.waited;
    const isLimited = limit !== undefined && limit.seconds < left;
    const timer = setTimeout(
      () => end(isLimited ? limit.error() : this.#usedUp()),
      Math.max(0, isLimited ? limit.seconds : left) * 1000,
    );
    const ended = this.#waits?.begin(end);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      ended?.();
      this.waited += (performance.now() - began) / 1000;
    }
  }

  #usedUp(): FetchError {
    const { totalSeconds } = httpFetchVariables;
    return new FetchError(
      'http-timeout',
      `the server took more than ${this.#total} s in all (${totalSeconds})`,
    );
  }
}
