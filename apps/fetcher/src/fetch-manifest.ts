import type { Clock, ManifestSeal, Store, Subscription } from '#core';
import type { TransferCount } from './counted-http.ts';

interface ManifestPorts {
  readonly store: Pick<Store, 'manifests'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The manifest of one fetch. It is stored only once there is something to merge or a cursor to move. */
export class FetchManifest {
  /** The fetch has this id from the beginning: its lease is under it. */
  readonly id: string;
  /** What the fetch has taken so far. */
  readonly transfer: TransferCount;
  readonly #ports: ManifestPorts;
  readonly #subscription: Pick<Subscription, 'collection' | 'id'>;
  readonly #openedAt: Date;
  #isOpen = false;

  /** @param openedAt when the fetch began */
  constructor(
    ports: ManifestPorts,
    subscription: Pick<Subscription, 'collection' | 'id'>,
    id: string,
    openedAt: Date,
  ) {
    this.id = id;
    this.#ports = ports;
    this.#subscription = subscription;
    this.#openedAt = openedAt;
    this.transfer = { startedAt: openedAt, bytes: 0 };
  }

  /** Whether it is stored. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Stores it, once however often it is called. No job may name it before.
   * @param seal what it is sealed with, if the whole feed has been read by then
   */
  async open(seal?: ManifestSeal): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { collection, id: subscription } = this.#subscription;
    await this.#ports.store.manifests.open({
      id: this.id,
      collection,
      subscription,
      openedAt: this.#openedAt,
      touchedAt: this.#ports.clock.now(),
      done: [],
      rejected: 0,
      ...(seal && { seal }),
    });
  }

  /** Removes it if it was stored. */
  async remove(): Promise<void> {
    if (this.#isOpen) await this.#ports.store.manifests.remove(this.#subscription.collection, this.id);
  }
}
