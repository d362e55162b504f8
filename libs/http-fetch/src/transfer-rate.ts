import { FetchError } from '#core';
import { httpFetchVariables } from './settings.ts';

/** How many bytes a second a body must arrive with: a 2G line has more. */
const minimumRate = 1000;

/** Seconds of what is behind the rate that are forgiven when the server falls silent. */
const forgiven = 1;

/**
 * Follows how far a body is behind the minimum rate. Only time that was spent waiting for the server counts,
 * and a server that was faster before has gained nothing by that.
 */
export class TransferRate {
  readonly #idleSeconds: number;
  #behind = 0;

  /** @param idleSeconds how long the server may be silent, and how far it may fall behind */
  constructor(idleSeconds: number) {
    this.#idleSeconds = idleSeconds;
  }

  /** Takes how long it was waited for a piece, and its length in bytes as it was sent. */
  take(seconds: number, bytes: number): void {
    this.#behind = Math.max(0, this.#behind + seconds - bytes / minimumRate);
  }

  /** How long the server may take for the next piece, in seconds. */
  get seconds(): number {
    return this.#behind <= forgiven ? this.#idleSeconds : Math.max(0, this.#idleSeconds - this.#behind);
  }

  /** The error of a server that takes longer: `slow`, or `http-timeout` of one that has fallen silent. */
  error(): FetchError {
    const { idleSeconds } = httpFetchVariables;
    return this.#behind <= forgiven
      ? new FetchError('http-timeout', `nothing came for ${this.#idleSeconds} s (${idleSeconds})`)
      : new FetchError(
          'slow',
          `the body came with fewer than ${minimumRate} bytes a second for ${this.#idleSeconds} s ` +
            `(${idleSeconds})`,
        );
  }
}
