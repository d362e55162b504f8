/** Runs work in the order in which it comes, only so much of it at the same time. */
export class WorkQueue {
  readonly #waiting: (() => void)[] = [];
  readonly #parallel: number;
  #running = 0;

  constructor(parallel: number) {
    this.#parallel = parallel;
  }

  /** Runs work once it is its turn, and throws what it throws. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#parallel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Its place goes to the next one.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
