import type { Clock, Store, Subscription, TreeProgress } from '#core';

/** Another fetch of the subscription began before this one ended; what it reads counts, and what it says. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

interface ClaimPorts {
  readonly store: Pick<Store, 'subscriptions'>;
  readonly clock: Clock;
}

/**
 * The claim of a subscription for one fetch; it runs out where nothing is heard of the fetch for too long.
 */
export class Claim {
  readonly #ports: ClaimPorts;
  readonly #subscription: Pick<Subscription, 'collection' | 'id'>;
  readonly #manifest: string;
  readonly #duration: number;
  #prolongedAt: number;

  /**
   * @param duration how long it lasts without a sign of life, in milliseconds; it was just taken for that
   * long
   */
  constructor(
    ports: ClaimPorts,
    subscription: Pick<Subscription, 'collection' | 'id'>,
    manifest: string,
    duration: number,
  ) {
    this.#ports = ports;
    this.#subscription = subscription;
    this.#manifest = manifest;
    this.#duration = duration;
    this.#prolongedAt = ports.clock.now().getTime();
  }

  /** Whether a quarter of its time has passed. */
  get isDue(): boolean {
    return this.#ports.clock.now().getTime() - this.#prolongedAt >= this.#duration / 4;
  }

  /**
   * Makes it last its whole time again, and records how far a walk through a tree is.
   * @throws ClaimLostError where another fetch has it
   */
  async prolong(progress?: TreeProgress): Promise<void> {
    this.#prolongedAt = this.#ports.clock.now().getTime();
    const { collection, id } = this.#subscription;
    if (
      !(await this.#ports.store.subscriptions.prolong(
        collection,
        id,
        this.#manifest,
        this.#duration,
        progress,
      ))
    )
      throw new ClaimLostError();
  }
}
