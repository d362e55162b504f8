import type { Clock, Store, Subscription, TreeProgress } from '#core';

/** Another fetch of the subscription began before this one ended; what it reads counts, and what it says. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

interface LeasePorts {
  readonly store: Pick<Store, 'subscriptions'>;
  readonly clock: Clock;
}

/**
 * The lease of a subscription for one fetch; it runs out if nothing is heard of the fetch for too long.
 */
export class FetchLease {
  readonly #ports: LeasePorts;
  readonly #subscription: Pick<Subscription, 'collection' | 'id'>;
  readonly #manifest: string;
  readonly #duration: number;
  #renewedAt: number;

  /**
   * @param duration how long it lasts without a sign of life, in milliseconds; it was just taken for that
   * long
   */
  constructor(
    ports: LeasePorts,
    subscription: Pick<Subscription, 'collection' | 'id'>,
    manifest: string,
    duration: number,
  ) {
    this.#ports = ports;
    this.#subscription = subscription;
    this.#manifest = manifest;
    this.#duration = duration;
    this.#renewedAt = ports.clock.now().getTime();
  }

  /** Whether a quarter of its time has passed. */
  get isDue(): boolean {
    return this.#ports.clock.now().getTime() - this.#renewedAt >= this.#duration / 4;
  }

  /**
   * Makes it last its whole time again, and records how far a walk through a tree is.
   * @throws LeaseLostError if another fetch has it
   */
  async renew(progress?: TreeProgress): Promise<void> {
    this.#renewedAt = this.#ports.clock.now().getTime();
    const { collection, id } = this.#subscription;
    if (
      !(await this.#ports.store.subscriptions.renew(collection, id, this.#manifest, this.#duration, progress))
    )
      throw new LeaseLostError();
  }
}
