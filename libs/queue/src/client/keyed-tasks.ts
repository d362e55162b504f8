/** Runs tasks: those of one key one after another, those of different keys at the same time. */
export class KeyedTasks {
  readonly #concurrency: number;
  readonly #last = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param concurrency how many steps of tasks run at the same time at most */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** Runs a task after those of its key; it must not throw. */
  add(key: string, task: () => Promise<void>): void {
    const run = (this.#last.get(key) ?? Promise.resolve()).then(task).then(() => {
      if (this.#last.get(key) === run) this.#last.delete(key);
    });
    this.#last.set(key, run);
  }

  /** Runs a step of a task once fewer than `concurrency` steps run. Between steps a task holds up nobody. */
  async step<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#running >= this.#concurrency)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
