import { ProblemError } from '../problems/problem-error.ts';

/** What is limited, in words for a client: `feeds, outlines and files that are sent at the same time`. */
interface Limited {
  readonly maximum: number;
  readonly what: string;
  /** The setting that `maximum` is. */
  readonly setting: string;
  /** Seconds after which a client may try again. */
  readonly retryAfter: number;
}

/** Lets only so much work of a kind run at the same time. */
export class ConcurrencyLimit {
  readonly #limited: Limited;
  #running = 0;

  constructor(limited: Limited) {
    this.#limited = limited;
  }

  /**
   * Runs work, and throws what it throws; throws `ProblemError` 503 with `Retry-After`, and runs nothing, at
   * the limit.
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const { maximum, what, setting, retryAfter } = this.#limited;
    if (this.#running >= maximum) {
      const detail =
        `This gateway allows ${maximum} ${what} (setting ${setting}). ` +
        `Try again in ${retryAfter} seconds.`;
      throw new ProblemError(503, 'too-many-readers', detail, {}, { 'Retry-After': String(retryAfter) });
    }
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }
}
