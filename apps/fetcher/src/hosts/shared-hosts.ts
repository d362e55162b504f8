import { FetchError, hostOf } from '#core';
import type { BudgetLimits, Clock, HostBudget } from '#core';
import type { Hosts } from './hosts.ts';
import { limitGroupOf } from './limit-group.ts';
import type { LimitBy } from './limit-group.ts';

/** How long a request waits at the most until it may be sent, in milliseconds, and between two looks. */
const longestWait = 2000;
const lookPause = 50;

export interface SharedHostLimits extends BudgetLimits {
  readonly by: LimitBy;
  /** Milliseconds that a host is left alone at the most because it asks for that. */
  readonly longestPause: number;
}

interface SharedHostPorts {
  readonly budget: HostBudget;
  readonly hosts: Pick<Hosts, 'pauseUntil' | 'closeUntil'>;
  readonly clock: Pick<Clock, 'now' | 'wait'>;
}

/** The limits of hosts that hold for all fetchers together: before each request, redirects included. */
export class SharedHosts {
  readonly #limits: SharedHostLimits;
  readonly #ports: SharedHostPorts;

  constructor(limits: SharedHostLimits, ports: SharedHostPorts) {
    this.#limits = limits;
    this.#ports = ports;
  }

  /**
   * Waits until a request may be sent, but not for long; returns what to call when it has ended.
   * @throws FetchError `host-busy` if it would have to wait for longer, also because the host asked to be
   *   left alone, or if Redis does not answer
   */
  async admit(url: string): Promise<() => void> {
    const { budget, clock } = this.#ports;
    const group = limitGroupOf(url, this.#limits.by);
    for (let waited = 0; ; waited += lookPause) {
      const answer = await budget.take(group, this.#limits, longestWait).catch(() => undefined);
      if (answer === undefined) throw this.#unanswered(url);
      if (answer.kind === 'granted') {
        if (answer.wait > 0) await clock.wait(answer.wait);
        return answer.release;
      }
      if (answer.kind === 'paused') throw this.#paused(url, answer.wait);
      if (answer.kind === 'used-up') throw this.#usedUp(url, answer.wait);
      if (waited >= longestWait) throw this.#busy(url, 0, 'FETCH_HOST_CONNECTIONS');
      await clock.wait(lookPause);
    }
  }

  /**
   * Takes that a host responded with 429 or 503: it is asked less often, and not at all for the time of its
   * `Retry-After` (in seconds), as far as that is granted.
   */
  async slowed(url: string, retryAfter = 0): Promise<void> {
    const pause = Math.min(retryAfter * 1000, this.#limits.longestPause);
    if (pause > 0) this.#pause(url, pause);
    // What Redis does not hear of is paused by this process alone.
    await this.#ports.budget.slow(limitGroupOf(url, this.#limits.by), this.#limits, pause).catch(() => {});
  }

  #paused(url: string, wait: number): FetchError {
    this.#pause(url, wait);
    const host = hostOf(url);
    return new FetchError('host-busy', `${host} asked to be left alone`, { host, retryAfter: wait / 1000 });
  }

  #unanswered(url: string): FetchError {
    const reason = 'Redis does not answer how many requests its hosts may get (FETCH_BUDGET_TIMEOUT_MS)';
    return new FetchError('host-busy', reason, { host: hostOf(url), retryAfter: 0 });
  }

  #usedUp(url: string, wait: number): FetchError {
    const { clock, hosts } = this.#ports;
    const until = new Date(clock.now().getTime() + wait - longestWait);
    if (this.#limits.by !== 'feed') hosts.closeUntil(hostOf(url), until);
    return this.#busy(url, wait, 'FETCH_HOST_RATE');
  }

  #busy(url: string, wait: number, setting: string): FetchError {
    const host = hostOf(url);
    return new FetchError('host-busy', `${host}: as much is requested as may be (${setting})`, {
      host,
      retryAfter: wait / 1000,
    });
  }

  #pause(url: string, wait: number): void {
    // One feed says nothing of the others at its host.
    if (this.#limits.by === 'feed') return;
    const until = new Date(this.#ports.clock.now().getTime() + wait);
    this.#ports.hosts.pauseUntil(hostOf(url), until, 'it asked to be left alone (Retry-After)');
  }
}
