import type { CollectionKey } from '#contracts';

/** What is stored of a tenant. */
export interface StoredUsage {
  /** Items that are not deleted. */
  readonly items: number;
  /**
   * The bytes of all files, and of all items and tombstones with their histories and conflicts, as JSON.
   */
  readonly bytes: number;
  /** Files, and the copies of documents of mirrored trees. */
  readonly files: number;
}

/** How much a tenant has. */
export interface TenantUsage extends StoredUsage {
  readonly collections: number;
  readonly subscriptions: number;
}

/** How much a tenant may have and do; what is absent is as the settings say. */
export interface TenantLimits extends Partial<TenantUsage> {
  /** Requests a second, in the long run. */
  readonly requestsPerSecond?: number;
  /** Event streams and waiting long polls at the same time. */
  readonly eventStreams?: number;
  /** Fetches of its subscriptions in a minute, by all fetchers together. */
  readonly fetchesPerMinute?: number;
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

/** A change of a part of a tenant; a limit of `null` is taken away. */
export interface TenantChange {
  readonly limits?: { readonly [What in keyof TenantLimits]?: TenantLimits[What] | null };
  readonly isSuspended?: boolean;
}

/** Where tenants are kept. Lists are in ascending order of name, by code point. */
export interface TenantStore {
  /** Creates a tenant, or replaces limits and suspension; returns it, with whether it is new. */
  put(
    name: string,
    change: Pick<Tenant, 'limits' | 'isSuspended'>,
    now: Date,
  ): Promise<{ readonly created: boolean; readonly tenant: Tenant }>;
  /** Changes what is named of a tenant and returns it; undefined if there is none. */
  change(name: string, change: TenantChange): Promise<Tenant | undefined>;
  find(name: string): Promise<Tenant | undefined>;
  list(page: { readonly after?: string; readonly limit: number }): Promise<Tenant[]>;
  /** The names of all tenants that are suspended. */
  suspended(): Promise<string[]>;
  /** Returns how much a tenant has; see `stored` for items, bytes and files. */
  usage(name: string): Promise<TenantUsage>;
  /**
   * Returns what is stored of a tenant: all that this process has written, and what others have written and
   * counted. Items and files are counted as they are written and removed, within a fraction of a second; what
   * a process that was killed has not counted is missing until the next `recount`.
   */
  stored(name: string): Promise<StoredUsage>;
  /** Resolves once all that this process has written so far is counted for everyone. */
  counted(): Promise<void>;
  /**
   * Counts again what is stored of one collection of a tenant, of those that nobody is counting and that were
   * last counted before a time the one that was counted first. What is written meanwhile is in the result.
   * Reads in steps, and pauses after each for as long as it took.
   * @param lease milliseconds, by the store's own clock, after which a count that was broken off begins anew
   * @returns the collection, and by how much it was wrong; undefined if there is none
   */
  recount(before: Date, lease: number): Promise<Recount | undefined>;
  /** Removes a tenant that has no collection; returns whether it did. */
  remove(name: string): Promise<boolean>;
}

/** What came of counting a collection again. */
export interface Recount {
  readonly collection: CollectionKey;
  /** What was added to the usage; negative for what was too much. */
  readonly corrected: StoredUsage;
}
