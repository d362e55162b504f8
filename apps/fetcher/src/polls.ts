import { UnavailableError } from '#core';
import type { Subscription } from '#core';
import { DueFrom } from './due-from.ts';
import { leaseDue, fetchAtHost } from './lease-due.ts';
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
 * Fetches what is due by the schedule: leases as much as places are free for, and looks again as soon as one
 * is while more may be due.
 */
export class Polls {
  readonly #ports: FetchPorts;
  readonly #settings: PollSettings;
  /** Called with a fetch that has ended in an error of ours, such as a store that is away. */
  readonly #failed: (subscription: Subscription, error: unknown) => void;
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
    failed: (subscription: Subscription, error: unknown) => void,
  ) {
    this.#ports = ports;
    this.#settings = settings;
    this.#failed = failed;
  }

  /** Leases what is due as far as places are free, and begins to fetch it; called from time to time. */
  look(): Promise<void> {
    this.#ports.hosts?.resumeAll();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Leases nothing any more. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Resolves once everything that was leased is fetched or released. */
  async idle(): Promise<void> {
    await this.#looking?.catch(() => {});
    await Promise.all(this.#inFlight);
  }

  async #look(): Promise<void> {
    if (this.#free <= 0 || this.#hasEnded) return;
    await this.#ports.left?.release(this.#ports.store);
    const { subscriptions, isMore } = await leaseDue(this.#ports, this.#settings, this.#free, this.#dueFrom);
    if (this.#hasEnded) return this.#release(subscriptions);
    this.#isMore = isMore;
    for (const subscription of subscriptions) this.#begin(subscription);
    if (subscriptions.length > 0) this.#planLook();
  }

  #begin(subscription: Subscription): void {
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
    const work = ports === undefined ? this.#release([subscription]) : this.fetch(subscription, ports);
    const poll = work
      .catch((error: unknown) => {
        if (error instanceof UnavailableError) this.#ports.left?.add(subscription);
        this.#failed(subscription, error);
      })
      .finally(() => {
        this.#inFlight.delete(poll);
        pace?.end();
        leave();
      });
    this.#inFlight.add(poll);
  }

  /** Fetches what is leased. */
  protected fetch(subscription: Subscription, ports: FetchPorts): Promise<void> {
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

  async #release(subscriptions: readonly Subscription[]): Promise<void> {
    await this.#ports.store.subscriptions.releaseAll(
      subscriptions.map(({ collection, id, manifest = '', nextFetchAt, nextFetchReason }) => ({
        collection,
        id,
        manifest,
        next: { nextFetchAt, nextFetchReason },
      })),
    );
  }
}
