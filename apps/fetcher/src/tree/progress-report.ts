import { requestPublish } from '#contracts';
import type { Clock, JobQueue, Store, TreeProgress } from '#core';
import type { FetchLease } from '../fetch-lease.ts';
import type { TreeFetch } from './tree-fetch.ts';

interface ProgressPorts {
  readonly store: Pick<Store, 'subscriptions' | 'manifests' | 'notices'>;
  readonly queue: JobQueue;
  readonly clock: Clock;
}

/**
 * Tells the world that a walk is alive, and how far it is: the lease is renewed in time, and a notice says
 * what has changed.
 */
export class ProgressReport {
  readonly #ports: ProgressPorts;
  readonly #fetch: TreeFetch;
  readonly #pause: number;
  readonly #lease: FetchLease;
  /** What was announced last, and when (milliseconds). */
  #announced: TreeProgress = { done: 0, total: 0, bytes: 0, failed: 0 };
  #announcedAt: number;
  #notices = 0;

  /** @param pause the shortest time between two notices, in milliseconds */
  constructor(ports: ProgressPorts, fetch: TreeFetch, lease: FetchLease, pause: number) {
    this.#ports = ports;
    this.#fetch = fetch;
    this.#pause = pause;
    this.#lease = lease;
    this.#announcedAt = ports.clock.now().getTime();
  }

  /**
   * Renews the lease, due or not.
   * @param progress what was announced last if absent
   * @throws LeaseLostError if another fetch has begun
   */
  async confirm(progress: TreeProgress = this.#announced): Promise<void> {
    await this.#lease.renew(progress);
    await this.#ports.store.manifests.touch(
      this.#fetch.collection.key,
      this.#fetch.manifest,
      this.#ports.clock.now(),
    );
  }

  /**
   * Does what is due; called often.
   * @param progress what was announced last if absent
   * @throws LeaseLostError if another fetch has begun
   */
  async announce(progress: TreeProgress = this.#announced): Promise<void> {
    const at = this.#ports.clock.now();
    const isNews = at.getTime() - this.#announcedAt >= this.#pause && !areSame(progress, this.#announced);
    if (!isNews && !this.#lease.isDue) return;
    await this.confirm(progress);
    if (!isNews) return;
    const {
      collection: { key: collection },
      subscription: { id: subscription },
      manifest,
    } = this.#fetch;
    this.#announced = progress;
    this.#announcedAt = at.getTime();
    await this.#ports.store.notices.add({
      id: `${manifest}.${this.#notices}`,
      collection,
      subscription,
      type: 'progress',
      at,
      progress,
    });
    this.#notices += 1;
    // Where the queue does not take it, the publisher finds the notice by itself.
    await this.#ports.queue.send([requestPublish(collection)]).catch(() => {});
  }
}

function areSame(one: TreeProgress, other: TreeProgress): boolean {
  return (
    one.done === other.done &&
    one.total === other.total &&
    one.bytes === other.bytes &&
    one.failed === other.failed
  );
}
