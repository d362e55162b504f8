import type { BucketLimits, Tenant } from '#core';
import { countRefusal } from '#service';
import type { GatewayConfiguration } from '#service';
import { limitsOf } from '../tenants/tenant-limits.ts';
import { rateRefusal, streamRefusal } from './refusals.ts';
import type { RateRefusal } from './refusals.ts';
import type { KnownLimits } from './known-limits.ts';
import type { TenantRequests } from './tenant-requests.ts';
import type { TenantStreams } from './tenant-streams.ts';

interface LimiterPorts {
  readonly configuration: GatewayConfiguration;
  readonly known: KnownLimits;
  readonly requests: TenantRequests;
  readonly streams: TenantStreams;
}

type Limits = Pick<Tenant, 'limits'> | undefined;

/** Refuses what a tenant requests beyond its limits; a name that is no tenant's has none. */
export class TenantLimiter {
  readonly #ports: LimiterPorts;

  constructor(ports: LimiterPorts) {
    this.#ports = ports;
  }

  /** Counts a request. Throws `ProblemError` 429, at once or by the promise that it returns. */
  count(name: string): void | Promise<void> {
    const tenant = this.#ports.known.find(name);
    if (tenant instanceof Promise) return tenant.then((found) => this.#count(name, found));
    return this.#count(name, tenant);
  }

  /** Whether requests of some tenant are refused now. */
  get isRefusing(): boolean {
    return this.#ports.requests.isRefusing;
  }

  /** Why a request of a tenant is refused now, if it is known at once that it is. */
  refusalOf(name: string): RateRefusal | undefined {
    const tenant = this.#ports.known.find(name);
    if (tenant === undefined || tenant instanceof Promise) return undefined;
    const wait = this.#ports.requests.refusedFor(name);
    if (wait === undefined) return undefined;
    return { name, tenant, limits: this.#limitsOf(tenant), wait };
  }

  /** Runs what keeps an event stream open, and throws what it throws; `ProblemError` 429 at the limit. */
  async runStream<Result>(name: string | undefined, work: () => Promise<Result>): Promise<Result> {
    const tenant = name === undefined ? undefined : await this.#ports.known.find(name);
    if (name === undefined || tenant === undefined) return work();
    const { eventStreams } = limitsOf(this.#ports, tenant);
    const close = await this.#ports.streams.open(name, eventStreams);
    if (close === undefined) {
      countRefusal(name, 'eventStreams');
      throw streamRefusal(name, tenant, eventStreams, this.#ports.configuration.GATEWAY_RETRY_SECONDS);
    }
    try {
      return await work();
    } finally {
      close();
    }
  }

  #count(name: string, tenant: Limits): void | Promise<void> {
    if (tenant === undefined) return undefined;
    const limits = this.#limitsOf(tenant);
    const check = (wait: number): void => {
      if (wait === 0) return;
      countRefusal(name, 'requestsPerSecond');
      throw rateRefusal({ name, tenant, limits, wait });
    };
    const wait = this.#ports.requests.take(name, limits);
    return typeof wait === 'number' ? check(wait) : wait.then(check);
  }

  #limitsOf({ limits }: Pick<Tenant, 'limits'>): BucketLimits {
    const { TENANT_BURST_SECONDS, TENANT_REQUESTS_PER_SECOND } = this.#ports.configuration;
    const rate = limits.requestsPerSecond ?? TENANT_REQUESTS_PER_SECOND;
    return { rate, burst: rate * TENANT_BURST_SECONDS };
  }
}
