import { pollKey } from '#core';
import type { FoundSubscription } from '#core';
import { DueFrom } from './due-from.ts';
import { fetchAtHost } from './fetch-subscription.ts';
import { takeDue } from './take-due.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { pacedPorts } from './slow/paced-ports.ts';

/**
 * How long a look waits for more places to become free, in milliseconds: once, and again and again up to the
 * longest time while fewer than this share of them is. A look costs the store as much for one as for many.
 */
const gatherFor = 20;
const longestGather = 100;
const shareOfPlaces = 1 / 4;

interface PollSettings extends FetchSettings {
  /** How many subscriptions are fetched at the same time, besides those that are slow. */
  readonly polls: number;
}

/**
 * Fetches what is due by the schedule: takes as much as places are free for, and looks again as soon as one
 * is while more may be due.
 */
export class Polls {
  readonly #ports: FetchPorts;
  readonly #settings: PollSettings;
  /** Called with a fetch that has ended in an error of ours, such as a store that is away. */
  readonly #failed: (subscription: FoundSubscription, error: unknown) => void;
  readonly #inFlight = new Set<Promise<void>>();
  /** How many of them have a place that is not of a slow one. */
  #taken = 0;
  readonly #dueFrom = new DueFrom();
  #looking: Promise<void> | undefined;
  #isLookPlanned = false;
  #isMore = false;
  #hasEnded = false;

  constructor(
    ports: FetchPorts,
    settings: PollSettings,
    failed: (subscription: FoundSubscription, error: unknown) => void,
  ) {
    this.#ports = ports;
    this.#settings = settings;
    this.#failed = failed;
  }

  /** Takes what is due as far as places are free, and begins to fetch it; called from time to time. */
  look(): Promise<void> {
    this.#ports.hosts?.resumeAll();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Takes nothing any more. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Resolves once everything that was taken is fetched or released. */
  async idle(): Promise<void> {
    await this.#looking?.catch(() => {});
    await Promise.all(this.#inFlight);
  }

  async #look(): Promise<void> {
    if (this.#free <= 0 || this.#hasEnded) return;
    await this.#ports.left?.release(this.#ports.store);
    const { subscriptions, isMore } = await takeDue(this.#ports, this.#settings, this.#free, this.#dueFrom);
    if (this.#hasEnded) return this.#release(subscriptions);
    // While some are due, others soon are: the next look does not wait for the schedule.
    this.#isMore = isMore || subscriptions.length > 0;
    for (const subscription of subscriptions) this.#begin(subscription);
    if (subscriptions.length > 0) this.#planLook();
  }

  #begin(subscription: FoundSubscription): void {
    const ports = pacedPorts(this.#ports, subscription);
    const { pace } = ports ?? {};
    let isHeld = true;
    this.#taken += 1;
    const leave = (): void => {
      if (isHeld) this.#taken -= 1;
      isHeld = false;
      this.#planLook();
    };
    void pace?.detached.then(leave);
    const poll = this.#poll(subscription, ports, leave);
    this.#inFlight.add(poll);
    void poll.then(() => this.#inFlight.delete(poll));
  }

  async #poll(
    subscription: FoundSubscription,
    ports: FetchPorts | undefined,
    leave: () => void,
  ): Promise<void> {
    try {
      if (ports !== undefined) await this.fetch(subscription, ports);
    } catch (error) {
      this.#failed(subscription, error);
    }
    ports?.pace?.end();
    leave();
    await this.#release([subscription]);
  }

  /** Fetches what is taken. */
  protected fetch(subscription: FoundSubscription, ports: FetchPorts): Promise<void> {
    return fetchAtHost(ports, this.#settings, subscription);
  }

  /** Looks again in a moment, if more may be due and places are free. */
  #planLook(waited = 0): void {
    if (!this.#isMore || this.#free <= 0 || this.#isLookPlanned || this.#hasEnded) return;
    this.#isLookPlanned = true;
    void this.#ports.clock.wait(gatherFor).then(async () => {
      this.#isLookPlanned = false;
      const isWorthIt = this.#free >= this.#settings.polls * shareOfPlaces;
      // The schedule looks again in any case, and says what fails.
      if (isWorthIt || waited + gatherFor >= longestGather) await this.look().catch(() => {});
      else this.#planLook(waited + gatherFor);
    });
  }

  /** How many places are free. */
  get #free(): number {
    return this.#settings.polls - this.#taken;
  }

  async #release(subscriptions: readonly FoundSubscription[]): Promise<void> {
    await this.#ports.polls?.end(subscriptions.map(pollKey));
  }
}
