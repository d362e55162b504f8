import type { Store, Subscription } from '#core';

/** Fetches that ended because MongoDB was away, and whose leases still run. */
export class LeftFetches {
  readonly #left = new Map<string, Subscription>();

  add(subscription: Subscription): void {
    this.#left.set(subscription.manifest ?? '', subscription);
  }

  /**
   * Ends their leases, so that they are fetched again now and not once these have run out. What they have
   * sent to the mergers may be merged twice. Throws `UnavailableError` if MongoDB is still away; then they
   * stay for the next call.
   */
  async release({ subscriptions }: Pick<Store, 'subscriptions'>): Promise<void> {
    if (this.#left.size === 0) return;
    const releases = [...this.#left].map(([manifest, { collection, id, nextFetchAt, nextFetchReason }]) => ({
      collection,
      id,
      manifest,
      next: { nextFetchAt, nextFetchReason },
    }));
    await subscriptions.releaseAll(releases);
    for (const { manifest } of releases) this.#left.delete(manifest);
  }
}
