import { performance } from 'node:perf_hooks';
import { FetchError } from '#core';
import { httpFetchVariables } from './settings.ts';

/** Counts the time that one fetch waits for servers, and ends the fetch when there is none left. */
export class UpstreamTime {
  readonly #total: number;
  #left: number;

  constructor(totalSeconds: number) {
    this.#total = totalSeconds;
    this.#left = totalSeconds;
  }

  /**
   * Waits for the work; calls `end` with a `FetchError` (`http-timeout`) when the total time is used up, or
   * this one wait takes longer than `idleSeconds`.
   */
  async wait<T>(
    work: () => Promise<T>,
    end: (error: FetchError) => void,
    idleSeconds = Infinity,
  ): Promise<T> {
    const began = performance.now();
    const idle = idleSeconds < this.#left;
    const timer = setTimeout(
      () => {
        end(
          new FetchError(
            'http-timeout',
            idle
              ? `nothing came for ${idleSeconds} s (${httpFetchVariables.idleSeconds})`
              : `the server took more than ${this.#total} s in all (${httpFetchVariables.totalSeconds})`,
          ),
        );
      },
      Math.max(0, Math.min(idleSeconds, this.#left)) * 1000,
    );
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      this.#left -= (performance.now() - began) / 1000;
    }
  }
}
