import type { TenantQuota } from '#core';

/** Counts the event streams of tenants that are open at this gateway, and tells the others. */
export class TenantStreams {
  readonly #quota: Pick<TenantQuota, 'openStreams'>;
  readonly #open = new Map<string, number>();

  constructor(quota: Pick<TenantQuota, 'openStreams'>) {
    this.#quota = quota;
  }

  /**
   * Opens a stream of a tenant that may have so many at all gateways together; returns what to call once it
   * has ended, undefined if there are as many already.
   */
  async open(tenant: string, most: number): Promise<(() => void) | undefined> {
    const own = this.#count(tenant, 1);
    if (await this.#quota.openStreams(tenant, own, most)) return () => this.#close(tenant);
    this.#count(tenant, -1);
    return undefined;
  }

  /** Says again what is open; to be called from time to time. */
  async renew(): Promise<void> {
    for (const [tenant, own] of this.#open) await this.#quota.openStreams(tenant, own);
  }

  #close(tenant: string): void {
    // What nobody hears of expires.
    this.#quota.openStreams(tenant, this.#count(tenant, -1)).catch(() => {});
  }

  /** Adds to what is open of a tenant; returns what is. */
  #count(tenant: string, more: number): number {
    const open = (this.#open.get(tenant) ?? 0) + more;
    if (open === 0) this.#open.delete(tenant);
    else this.#open.set(tenant, open);
    return open;
  }
}
