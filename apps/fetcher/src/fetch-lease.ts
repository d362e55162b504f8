import type {
  Clock,
  Completion,
  FetchResult,
  FoundSubscription,
  ManifestSeal,
  NextFetch,
  Release,
  Store,
  TreeProgress,
} from '#core';

/** Another fetch of the subscription began before this one ended; what it reads counts, and what it says. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

interface LeasePorts {
  readonly store: Pick<Store, 'subscriptions'>;
  readonly clock: Clock;
}

/**
 * The lease of a subscription for one fetch. It is taken once something is to be stored or takes long, and
 * runs out if nothing is heard of the fetch for too long. A fetch that ends before needs none: its end counts
 * if the subscription is as it was found.
 */
export class FetchLease {
  /** The fetch has this id from the beginning. */
  readonly manifest: string;
  readonly subscription: FoundSubscription;
  readonly #ports: LeasePorts;
  readonly #duration: number;
  #renewedAt: number;
  #taken: Promise<void> | undefined;

  /**
   * @param subscription as it was found
   * @param duration how long it lasts without a sign of life, in milliseconds
   */
  constructor(ports: LeasePorts, subscription: FoundSubscription, manifest: string, duration: number) {
    this.manifest = manifest;
    this.subscription = subscription;
    this.#ports = ports;
    this.#duration = duration;
    this.#renewedAt = ports.clock.now().getTime();
  }

  /** Whether a quarter of its time has passed. */
  get isDue(): boolean {
    return this.#ports.clock.now().getTime() - this.#renewedAt >= this.#duration / 4;
  }

  /** Whether it may be stored. */
  get isTaken(): boolean {
    return this.#taken !== undefined;
  }

  /**
   * Takes it, once however often it is called.
   * @param seal kept with it
   * @throws LeaseLostError if another fetch has it, or the subscription is not as it was found
   */
  take(seal?: ManifestSeal): Promise<void> {
    this.#taken ??= this.#take(seal);
    return this.#taken;
  }

  /**
   * Makes it last its whole time again, and records how far a walk through a tree is.
   * @throws LeaseLostError as `take` does, and if it has been lost
   */
  async renew(progress?: TreeProgress): Promise<void> {
    const isNew = !this.isTaken;
    await this.take();
    if (isNew && progress === undefined) return;
    this.#renewedAt = this.#ports.clock.now().getTime();
    const { collection, id } = this.subscription;
    const { subscriptions } = this.#ports.store;
    if (!(await subscriptions.renew(collection, id, this.manifest, this.#duration, progress)))
      throw new LeaseLostError();
  }

  /** How the fetch ends with a result. */
  completion(result: FetchResult): Completion {
    return { ...this.#end, result };
  }

  /** How it ends without one. */
  release(next: NextFetch): Release {
    return { ...this.#end, next };
  }

  get #end(): Omit<Release, 'next'> {
    const { collection, id } = this.subscription;
    return { collection, id, manifest: this.manifest, ...(!this.isTaken && { found: this.subscription }) };
  }

  async #take(seal?: ManifestSeal): Promise<void> {
    this.#renewedAt = this.#ports.clock.now().getTime();
    const { subscription, manifest } = this;
    const { collection, id } = subscription;
    const { subscriptions } = this.#ports.store;
    const leased = await subscriptions.lease(collection, id, manifest, this.#duration, subscription, seal);
    if (leased === undefined) throw new LeaseLostError();
  }
}
