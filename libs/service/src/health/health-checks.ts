/** Resolves if what it looks at works; rejects with the reason if it does not. */
export type HealthCheck = () => Promise<unknown>;

/** What a check looks at works in part: the service takes work, and people should do something. */
export class DegradedError extends Error {
  override readonly name = 'DegradedError';
}

/** What the states of checks with a `DegradedError` begin with. */
const degraded = 'degraded: ';

/** Whether the states of checks are all `up`, or some are no better than degraded, or down. */
export function statusOf(states: Readonly<Record<string, string>>): 'up' | 'degraded' | 'down' {
  const others = Object.values(states).filter((state) => state !== 'up');
  if (others.length === 0) return 'up';
  return others.every((state) => state.startsWith(degraded)) ? 'degraded' : 'down';
}

/** How long health checks take and hold, in seconds. */
export interface CheckTimes {
  /** How long one may take. */
  readonly limit: number;
  /** How long its outcome holds for everyone who asks. */
  readonly reuse: number;
}

/** The outcome of a check, and until when it holds, by `performance.now()`. */
interface Outcome {
  readonly state: Promise<string>;
  until: number;
}

/** Runs checks side by side, none more than once at a time, nor more often than it must. */
export class HealthChecks {
  readonly #checks: Readonly<Record<string, HealthCheck>>;
  readonly #times: CheckTimes;
  readonly #losses: Readonly<Record<string, string>>;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #faults = new Map<string, string>();

  /** @param losses of checks without which the service works in part: what does not work then, by name */
  constructor(
    checks: Readonly<Record<string, HealthCheck>>,
    times: CheckTimes,
    losses: Readonly<Record<string, string>> = {},
  ) {
    this.#checks = checks;
    this.#times = times;
    this.#losses = losses;
  }

  /**
   * For each name `up`, `degraded: ` and the reason, the reason why it is down, or that there was no answer
   * in time, with the last reason.
   */
  async run(): Promise<Record<string, string>> {
    const names = Object.keys(this.#checks);
    const states = await Promise.all(names.map((name) => this.#inTime(name, this.#stateOf(name))));
    return Object.fromEntries(names.map((name, index) => [name, this.#weighed(name, states[index] ?? '')]));
  }

  #weighed(name: string, state: string): string {
    const loss = Object.hasOwn(this.#losses, name) ? this.#losses[name] : undefined;
    return state === 'up' || loss === undefined ? state : `${degraded}${state}; ${loss}`;
  }

  /** A check that still hangs from an earlier run is waited for and not started again. */
  #stateOf(name: string): Promise<string> {
    const known = this.#outcomes.get(name);
    if (known !== undefined && performance.now() < known.until) return known.state;
    const outcome: Outcome = { state: outcomeOf(this.#checks[name]), until: Infinity };
    this.#outcomes.set(name, outcome);
    void outcome.state.then((state) => {
      outcome.until = performance.now() + this.#times.reuse * 1000;
      if (state === 'up') this.#faults.delete(name);
      else this.#faults.set(name, state);
    });
    return outcome.state;
  }

  async #inTime(name: string, state: Promise<string>): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => {
        const fault = this.#faults.get(name);
        const before = fault === undefined ? '' : `; before that: ${fault}`;
        resolve(`no answer within ${this.#times.limit} s${before}`);
      }, this.#times.limit * 1000);
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
    const reason = error instanceof Error && error.message !== '' ? error.message : 'failed';
    return error instanceof DegradedError ? `${degraded}${reason}` : reason;
  }
}
