import type { Release, Store } from '#core';

/** Fetches that ended because MongoDB was away, and whose leases still run. */
export class LeftFetches {
  readonly #left = new Map<string, Release>();

  /** @param fetch as it ends to be tried again at once */
  add(fetch: Release): void {
    this.#left.set(fetch.manifest, fetch);
  }

  /**
   * Ends their leases, so that they are fetched again now and not once these have run out. What they have
   * sent to the mergers may be merged twice. Throws `UnavailableError` if MongoDB is still away; then they
   * stay for the next call.
   */
  async release({ subscriptions }: Pick<Store, 'subscriptions'>): Promise<void> {
    if (this.#left.size === 0) return;
    const releases = [...this.#left.values()];
    await subscriptions.releaseAll(releases);
    for (const { manifest } of releases) this.#left.delete(manifest);
  }
}
