import type { BudgetAnswer, BudgetLimits, HostBudget } from '#core';
import type { LocalBudget } from './local-budget.ts';

/** For how many milliseconds Redis is not asked again after it has not answered. */
const pauseAfterFault = 1000;

/** The budgets that all fetchers share. */
interface Shared extends HostBudget {
  renew(): Promise<number>;
}

/**
 * The budgets that all fetchers share; while Redis is away, this process keeps to its own share of them: what
 * the limits give to each of the fetchers that there were last, and one request in flight at the least.
 */
export class FallbackBudget implements HostBudget {
  readonly #shared: Shared;
  readonly #local: LocalBudget;
  readonly #now: () => number;
  #fetchers = 1;
  #awayUntil = 0;

  constructor(shared: Shared, local: LocalBudget, now: () => number) {
    this.#shared = shared;
    this.#local = local;
    this.#now = now;
  }

  async take(group: string, limits: BudgetLimits, longest: number): Promise<BudgetAnswer> {
    return (
      (await this.#ask(() => this.#shared.take(group, limits, longest))) ??
      this.#local.take(group, this.#shareOf(limits), longest)
    );
  }

  async slow(group: string, limits: BudgetLimits, pause: number): Promise<void> {
    await this.#local.slow(group, this.#shareOf(limits), pause);
    await this.#ask(() => this.#shared.slow(group, limits, pause));
  }

  /** Counts the fetchers, and says that this one lives; to be called from time to time. */
  async renew(): Promise<void> {
    this.#fetchers = (await this.#ask(() => this.#shared.renew())) ?? this.#fetchers;
  }

  #shareOf({ rate, burst, connections }: BudgetLimits): BudgetLimits {
    const share = 1 / Math.max(1, this.#fetchers);
    return {
      rate: rate * share,
      burst: Math.max(1, burst * share),
      connections: Math.max(1, Math.floor(connections * share)),
    };
  }

  /** Returns undefined if Redis does not answer, or has just not answered. */
  async #ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    if (this.#now() < this.#awayUntil) return undefined;
    try {
      return await question();
    } catch {
      this.#awayUntil = this.#now() + pauseAfterFault;
      return undefined;
    }
  }
}
