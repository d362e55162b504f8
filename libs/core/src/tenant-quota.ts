import type { BucketLimits, TokenGrant } from './token-bucket.ts';

/** What tenants may do at all gateways together. */
export interface TenantQuota {
  /** Takes up to so many requests of a tenant out of those that it may send now. */
  lease(tenant: string, limits: BucketLimits, wanted: number): Promise<TokenGrant>;
  /**
   * Records how many event streams of a tenant this gateway has open, for `streamLease` milliseconds, unless
   * all gateways together would have more than `most`. Returns whether it is recorded.
   */
  openStreams(tenant: string, own: number, most?: number): Promise<boolean>;
}

/** For how many milliseconds the event streams of a gateway count without a sign of life of it. */
export const streamLease = 60_000;
