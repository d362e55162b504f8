import { fullBucket, grantTokens, LatestEntries, streamLease } from '#core';
import type { BucketLimits, TenantQuota, TokenBucket, TokenGrant } from '#core';

/** How many tenants are known at the most; those that were used last. */
const maximumTenants = 10_000;

/** The event streams that a gateway has open, and until when they count, in milliseconds since 1970. */
interface OpenStreams {
  readonly own: number;
  readonly until: number;
}

/** What gateways of one process share. */
export class LocalQuotaState {
  readonly buckets = new LatestEntries<string, TokenBucket>(maximumTenants);
  readonly streams = new LatestEntries<string, Map<TenantQuota, OpenStreams>>(maximumTenants);
}

/** The quota of tenants within this process. */
export class LocalQuota implements TenantQuota {
  readonly #now: () => number;
  readonly #state: LocalQuotaState;

  constructor(now: () => number, state = new LocalQuotaState()) {
    this.#now = now;
    this.#state = state;
  }

  async lease(tenant: string, limits: BucketLimits, wanted: number): Promise<TokenGrant> {
    const now = this.#now();
    const former = this.#state.buckets.get(tenant) ?? fullBucket(limits, now);
    const { granted, wait, bucket } = grantTokens(former, limits, wanted, now);
    this.#state.buckets.set(tenant, bucket);
    return { granted, wait };
  }

  async openStreams(tenant: string, own: number, most = Infinity): Promise<boolean> {
    const now = this.#now();
    const streams = this.#state.streams.get(tenant) ?? new Map<TenantQuota, OpenStreams>();
    const others = [...streams].filter(([gateway, { until }]) => gateway !== this && until > now);
    if (others.reduce((sum, [, { own: open }]) => sum + open, own) > most) return false;
    streams.set(this, { own, until: now + streamLease });
    this.#state.streams.set(tenant, streams);
    return true;
  }
}
