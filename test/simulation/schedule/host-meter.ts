import type { BudgetLimits } from '#core';

/**
 * Counts what a host gets, and by how much that is beyond its limits: more requests in a time than the rate
 * and one burst allow, or more in flight than connections. It knows nothing of how they are kept.
 */
export class HostMeter {
  /** The largest excess so far: requests beyond the rate, and beyond the connections. */
  excessRate = 0;
  excessConnections = 0;
  readonly #limits: BudgetLimits;
  #level: number;
  #at = 0;
  #inFlight = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
    this.#level = limits.burst;
  }

  sent(at: number): void {
    const { rate, burst, connections } = this.#limits;
    this.#level = Math.min(burst, this.#level + (Math.max(0, at - this.#at) / 1000) * rate) - 1;
    this.#at = Math.max(at, this.#at);
    this.#inFlight += 1;
    // A wait is rounded up to a millisecond.
    this.excessRate = Math.max(this.excessRate, -this.#level - 1e-6);
    this.excessConnections = Math.max(this.excessConnections, this.#inFlight - connections);
  }

  ended(): void {
    this.#inFlight -= 1;
  }
}
