import type { Clock, Store } from '#core';
import type { TransferCount } from './counted-http.ts';
import type { FetchLease } from './fetch-lease.ts';

interface ManifestPorts {
  readonly store: Pick<Store, 'manifests'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The manifest of one fetch. It is stored only once there is something to merge or a cursor to move. */
export class FetchManifest {
  readonly lease: FetchLease;
  /** What the fetch has taken so far. */
  readonly transfer: TransferCount;
  readonly #ports: ManifestPorts;
  readonly #openedAt: Date;
  #opening: Promise<void> | undefined;

  /** @param openedAt when the fetch began */
  constructor(ports: ManifestPorts, lease: FetchLease, openedAt: Date) {
    this.lease = lease;
    this.#ports = ports;
    this.#openedAt = openedAt;
    this.transfer = { startedAt: openedAt, bytes: 0 };
  }

  get id(): string {
    return this.lease.manifest;
  }

  /**
   * Stores it and takes the lease, once however often it is called. No job may name it before.
   * @throws LeaseLostError as `FetchLease.take` does
   */
  async open(): Promise<void> {
    this.#opening ??= this.#open();
    await Promise.all([this.lease.take(), this.#opening]);
  }

  /** Removes it if it was stored. */
  async remove(): Promise<void> {
    if (this.#opening === undefined) return;
    await this.#opening.catch(() => {});
    await this.#ports.store.manifests.remove(this.lease.subscription.collection, this.id);
  }

  #open(): Promise<void> {
    const { collection, id: subscription } = this.lease.subscription;
    return this.#ports.store.manifests.open({
      id: this.id,
      collection,
      subscription,
      openedAt: this.#openedAt,
      touchedAt: this.#ports.clock.now(),
      done: [],
      rejected: 0,
    });
  }
}
