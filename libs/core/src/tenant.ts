/** How much of what is stored a tenant has. */
export interface TenantUsage {
  readonly collections: number;
  readonly subscriptions: number;
}

/** How much a tenant may have and do; what is absent is as the settings say. */
export interface TenantLimits extends Partial<TenantUsage> {
  /** Requests a second, in the long run. */
  readonly requestsPerSecond?: number;
  /** Event streams and waiting long polls at the same time. */
  readonly eventStreams?: number;
}

/** A team or an organisation whose collections nobody else's keys reach. */
export interface Tenant {
  /** `[a-z0-9][a-z0-9-]{0,62}`. */
  readonly name: string;
  readonly limits: TenantLimits;
  /** Whether every request and command about its collections is refused. */
  readonly isSuspended: boolean;
  readonly createdAt: Date;
}

/** Where tenants are kept. Lists are in ascending order of name, by code point. */
export interface TenantStore {
  /** Creates a tenant, or replaces limits and suspension; returns it, with whether it is new. */
  put(
    name: string,
    change: Pick<Tenant, 'limits' | 'isSuspended'>,
    now: Date,
  ): Promise<{ readonly created: boolean; readonly tenant: Tenant }>;
  find(name: string): Promise<Tenant | undefined>;
  list(page: { readonly after?: string; readonly limit: number }): Promise<Tenant[]>;
  /** The names of all tenants that are suspended. */
  suspended(): Promise<string[]>;
  /** Counts what a tenant has. */
  usage(name: string): Promise<TenantUsage>;
  /** Removes a tenant that has no collection; returns whether it did. */
  remove(name: string): Promise<boolean>;
}
