/** Resolves where what it looks at works; rejects with the reason where it does not. */
export type HealthCheck = () => Promise<unknown>;

/** Runs checks side by side, none more than once at a time. */
export class HealthChecks {
  readonly #checks: Readonly<Record<string, HealthCheck>>;
  readonly #seconds: number;
  readonly #running = new Map<string, Promise<string>>();

  constructor(checks: Readonly<Record<string, HealthCheck>>, seconds: number) {
    this.#checks = checks;
    this.#seconds = seconds;
  }

  /** For each name `up`, the reason why not, or that there was no answer in time. */
  async run(): Promise<Record<string, string>> {
    const names = Object.keys(this.#checks);
    const states = await Promise.all(names.map((name) => this.#inTime(this.#stateOf(name))));
    return Object.fromEntries(names.map((name, index) => [name, states[index] ?? '']));
  }

  /** A check that still hangs from an earlier run is waited for and not started again. */
  #stateOf(name: string): Promise<string> {
    const running = this.#running.get(name) ?? outcomeOf(this.#checks[name]).finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }

  async #inTime(state: Promise<string>): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, this.#seconds * 1000, `no answer within ${this.#seconds} s`);
    });
    try {
      return await Promise.race([state, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

async function outcomeOf(check: HealthCheck | undefined): Promise<string> {
  try {
    await check?.();
    return 'up';
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : 'failed';
  }
}
