import type { Subscription } from '#core';
import { leaseDue, fetchAtHost } from './lease-due.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';

/** How long a look waits for more places to become free, in milliseconds. */
const gatherFor = 20;

interface PollSettings extends FetchSettings {
  /** How many subscriptions are fetched at the same time. */
  readonly polls: number;
}

/**
 * Fetches what is due by the schedule: leases as much as there is room for, and looks again as soon as there
 * is room while more may be due.
 */
export class Polls {
  readonly #ports: FetchPorts;
  readonly #settings: PollSettings;
  /** Told of a fetch that has ended in an error of ours, such as a store that is away. */
  readonly #failed: (subscription: Subscription, error: unknown) => void;
  readonly #inFlight = new Set<Promise<void>>();
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

  /** Leases what is due as far as there is room, and begins to fetch it; called from time to time. */
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
  async settled(): Promise<void> {
    await this.#looking?.catch(() => {});
    await Promise.all(this.#inFlight);
  }

  async #look(): Promise<void> {
    const room = this.#settings.polls - this.#inFlight.size;
    if (room <= 0 || this.#hasEnded) return;
    const { subscriptions, isMore } = await leaseDue(this.#ports, this.#settings, room);
    if (this.#hasEnded) return this.#release(subscriptions);
    this.#isMore = isMore;
    for (const subscription of subscriptions) this.#begin(subscription);
    if (subscriptions.length > 0) this.#planLook();
  }

  #begin(subscription: Subscription): void {
    const poll = fetchAtHost(this.#ports, this.#settings, subscription)
      .catch((error: unknown) => this.#failed(subscription, error))
      .finally(() => {
        this.#inFlight.delete(poll);
        this.#planLook();
      });
    this.#inFlight.add(poll);
  }

  /** Looks again in a moment, if more may be due and there is room. */
  #planLook(): void {
    const hasRoom = this.#inFlight.size < this.#settings.polls;
    if (!this.#isMore || !hasRoom || this.#isLookPlanned || this.#hasEnded) return;
    this.#isLookPlanned = true;
    void this.#ports.clock.wait(gatherFor).then(async () => {
      this.#isLookPlanned = false;
      // The schedule looks again in any case, and says what fails.
      await this.look().catch(() => {});
    });
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
