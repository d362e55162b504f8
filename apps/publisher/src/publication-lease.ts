import type { ChangeBlock, Collection, Lease, LeasedCollection, Store } from '#core';
import { LeaseLostError } from './advance-publication.ts';

/** What a lease needs of the world. */
interface LeasePorts {
  readonly store: Pick<Store, 'collections' | 'changes'>;
  readonly holder: string;
}

/**
 * The lease of one run. A vacant one is taken beside the first block that is appended to the log, so that
 * nobody waits for both: the log decides who issues sequences, and a block that nobody else will finish is
 * found by its items, which are pending still.
 */
export class PublicationLease {
  readonly lease: Lease;
  readonly collection: Collection;
  readonly #ports: LeasePorts;
  readonly #duration: number;
  #isHeld: boolean;

  /**
   * @param duration how long it runs without being renewed, in milliseconds
   * @param isHeld whether it is taken; else it is vacant
   */
  constructor(ports: LeasePorts, { lease, collection }: LeasedCollection, duration: number, isHeld: boolean) {
    this.#ports = ports;
    this.lease = lease;
    this.collection = collection;
    this.#duration = duration;
    this.#isHeld = isHeld;
  }

  /** Appends a block to the log, under the lease. Throws `LeaseLostError` if another publisher was faster. */
  async append(block: ChangeBlock): Promise<void> {
    const { store } = this.#ports;
    // Both are over before the lease is abandoned.
    const [held, appended] = await Promise.allSettled([this.#hold(), store.changes.append(block)]);
    if (held.status === 'rejected') throw held.reason;
    this.#isHeld ||= held.value;
    if (appended.status === 'rejected') throw appended.reason;
    if (!held.value || !appended.value) throw new LeaseLostError();
  }

  /** Renews a lease that is held. Throws `LeaseLostError`. */
  async renew(): Promise<void> {
    if (!this.#isHeld) return;
    const { store, holder } = this.#ports;
    const renewed = await store.collections.lease(this.lease.collection, holder, this.#duration);
    if (renewed?.epoch !== this.lease.epoch) throw new LeaseLostError();
  }

  /** Says that its work may be incomplete, and ends it. */
  async abandon(): Promise<void> {
    const { collection, epoch } = this.lease;
    // If it is not held, another holder may have its epoch, and goes on.
    await this.#ports.store.collections.abandon({ collection, epoch: this.#isHeld ? epoch : epoch - 1 });
  }

  async #hold(): Promise<boolean> {
    const { store, holder } = this.#ports;
    const { lease, collection } = this;
    return this.#isHeld || store.collections.takeVacant({ lease, collection }, holder, this.#duration);
  }
}
