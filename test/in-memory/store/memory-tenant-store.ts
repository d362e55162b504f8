import { tenantOf } from '#core';
import type { CollectionStore, SubscriptionStore, Tenant, TenantStore, TenantUsage } from '#core';

/** The tenants in memory. */
export class MemoryTenantStore implements TenantStore {
  readonly #tenants = new Map<string, Tenant>();
  readonly #collections: Pick<CollectionStore, 'list'>;
  readonly #subscriptions: Pick<SubscriptionStore, 'list'>;

  constructor(collections: Pick<CollectionStore, 'list'>, subscriptions: Pick<SubscriptionStore, 'list'>) {
    this.#collections = collections;
    this.#subscriptions = subscriptions;
  }

  async put(
    name: string,
    change: Pick<Tenant, 'limits' | 'isSuspended'>,
    now: Date,
  ): Promise<{ readonly created: boolean; readonly tenant: Tenant }> {
    const former = this.#tenants.get(name);
    const tenant = { name, ...change, createdAt: former?.createdAt ?? now };
    this.#tenants.set(name, tenant);
    return { created: former === undefined, tenant };
  }

  async find(name: string): Promise<Tenant | undefined> {
    return this.#tenants.get(name);
  }

  async list({ after = '', limit }: { readonly after?: string; readonly limit: number }): Promise<Tenant[]> {
    return [...this.#tenants.values()]
      .filter(({ name }) => name > after)
      .toSorted((left, right) => (left.name < right.name ? -1 : 1))
      .slice(0, limit);
  }

  async suspended(): Promise<string[]> {
    return [...this.#tenants.values()].filter(({ isSuspended }) => isSuspended).map(({ name }) => name);
  }

  async usage(name: string): Promise<TenantUsage> {
    const all = await this.#collections.list({ limit: Number.MAX_SAFE_INTEGER });
    const own = all.filter(({ key }) => tenantOf(key) === name);
    const lists = own.map(({ key }) => this.#subscriptions.list(key, { limit: Number.MAX_SAFE_INTEGER }));
    return { collections: own.length, subscriptions: (await Promise.all(lists)).flat().length };
  }

  async remove(name: string): Promise<boolean> {
    const { collections } = await this.usage(name);
    return collections === 0 && this.#tenants.delete(name);
  }
}
