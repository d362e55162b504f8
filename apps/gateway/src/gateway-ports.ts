import type { Clock, FetchHistory, Random, Store } from '#core';
import type { GatewayConfiguration } from '#service';
import type { Authentication } from './access/authentication.ts';
import type { SuspendedTenants } from './access/suspended-tenants.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { FeedCache } from './feeds/feed-cache.ts';
import type { TenantLimiter } from './quota/tenant-limiter.ts';
import type { JobRequests } from './jobs/job-requests.ts';
import type { ConcurrencyLimit } from './requests/concurrency-limit.ts';
import type { BoundedReads } from './requests/bounded-reads.ts';

/** What the gateway needs of the world. */
export interface GatewayPorts {
  readonly store: Store;
  readonly jobs: JobRequests;
  /** The latest fetches of subscriptions. */
  readonly fetches: Pick<FetchHistory, 'recentFetches'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Where this gateway is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
  readonly suspended: SuspendedTenants;
  /** Refuses what a tenant requests beyond its limits. */
  readonly limiter: TenantLimiter;
  /** Tells who sends a request or a command. */
  readonly authentication: Authentication;
  /** Enters in the audit log who changes what. */
  readonly audit: AuditTrail;
  /** What endpoint identifiers of new collections begin with. */
  readonly endpointBase: () => Promise<string>;
  /** The settings, with the limits of what clients may ask for. */
  readonly configuration: GatewayConfiguration;
  /** The feeds, outlines and files that are sent at the same time. */
  readonly downloads: ConcurrencyLimit;
  /**
   * What reads much of the store: few at a time, so that the others, such as the health page, wait for
   * little, and as much as there is memory for.
   */
  readonly reads: BoundedReads;
  /** The feeds that were requested last. */
  readonly feeds: FeedCache;
  /** The event streams and long polls at the same time. */
  readonly changeReaders: ConcurrencyLimit;
}

/** Under which Nest gives out the `GatewayPorts`. */
export const gatewayPorts = Symbol('GatewayPorts');
