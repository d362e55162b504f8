import { LatestEntries } from '#core';
import type { BucketLimits, TenantQuota } from '#core';
import { countLeased } from '#service';
import { extendLease, noLease, takeRequest } from './request-lease.ts';
import type { RequestLease } from './request-lease.ts';

/** How many tenants have leases at the most; those that came last. */
const maximumTenants = 10_000;

/** For how many milliseconds more a tenant that had nothing left is taken to have little. */
const scarceTime = 1000;

/** A tenant that this gateway has requests of. */
interface Tenant {
  readonly name: string;
  lease: RequestLease;
  /** Requests that wait for a lease. */
  waiting: number;
  asking: Promise<void> | undefined;
}

/**
 * Lets requests of tenants through, as many as all gateways together may. Most of them are taken from what is
 * leased for a moment already, and cost no message.
 */
export class TenantRequests {
  readonly #quota: Pick<TenantQuota, 'lease'>;
  readonly #now: () => number;
  readonly #tenants = new LatestEntries<string, Tenant>(maximumTenants);

  #refusingUntil = 0;

  /** @param now in milliseconds since 1970 */
  constructor(quota: Pick<TenantQuota, 'lease'>, now: () => number) {
    this.#quota = quota;
    this.#now = now;
  }

  /**
   * Takes a request. Returns 0 if it is let through, else in how many milliseconds one may be again; a
   * promise if that has to be found out.
   */
  take(name: string, limits: BucketLimits): number | Promise<number> {
    const tenant = this.#tenantOf(name);
    const wait = this.#take(tenant, limits);
    return wait ?? this.#wait(tenant, limits);
  }

  /** Whether requests of some tenant may be refused: it had nothing left a moment ago. */
  get isRefusing(): boolean {
    return this.#now() < this.#refusingUntil;
  }

  /**
   * Milliseconds until a tenant may send a request again; undefined if it may now, or that is unknown. While
   * one that had nothing left is looked up again, as many requests wait as can be expected to be let through.
   */
  refusedFor(name: string): number | undefined {
    const tenant = this.#tenants.get(name);
    if (tenant === undefined) return undefined;
    const { lease, waiting } = tenant;
    const now = this.#now();
    const outcome = takeRequest(lease, now);
    if (outcome.kind === 'refused') return outcome.wait;
    const isCrowded =
      outcome.kind === 'needed' && waiting > lease.size && now < lease.emptyUntil + scarceTime;
    return isCrowded ? Math.max(1, lease.returnsAt - now) : undefined;
  }

  /** Returns undefined if a lease is needed. */
  #take(tenant: Tenant, limits: BucketLimits): number | undefined {
    const outcome = takeRequest(tenant.lease, this.#now());
    if (outcome.kind === 'needed') return undefined;
    if (outcome.kind === 'refused') return outcome.wait;
    tenant.lease = outcome.lease;
    if (outcome.isLow) void this.#lease(tenant, limits);
    return 0;
  }

  async #wait(tenant: Tenant, limits: BucketLimits): Promise<number> {
    tenant.waiting += 1;
    try {
      for (;;) {
        await this.#lease(tenant, limits);
        const wait = this.#take(tenant, limits);
        if (wait !== undefined) return wait;
      }
    } finally {
      tenant.waiting -= 1;
    }
  }

  /** Leases what is needed; requests of a tenant at the same time are one message. */
  #lease(tenant: Tenant, limits: BucketLimits): Promise<void> {
    return (tenant.asking ??= this.#ask(tenant, limits).finally(() => (tenant.asking = undefined)));
  }

  async #ask(tenant: Tenant, limits: BucketLimits): Promise<void> {
    const wanted = Math.max(tenant.lease.size, tenant.waiting);
    const granted = await this.#quota.lease(tenant.name, limits, wanted);
    countLeased(tenant.name, granted.granted);
    tenant.lease = extendLease(tenant.lease, granted, this.#now());
    this.#refusingUntil = Math.max(this.#refusingUntil, tenant.lease.emptyUntil + scarceTime);
  }

  #tenantOf(name: string): Tenant {
    const known = this.#tenants.get(name);
    if (known !== undefined) return known;
    const tenant: Tenant = { name, lease: noLease, waiting: 0, asking: undefined };
    this.#tenants.set(name, tenant);
    return tenant;
  }
}
