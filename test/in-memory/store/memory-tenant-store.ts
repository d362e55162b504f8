import { itemBytes, nameOf, tenantOf } from '#core';
import type {
  CollectionKey,
  CollectionStore,
  Content,
  StoredItem,
  StoredUsage,
  SubscriptionStore,
  Tenant,
  TenantChange,
  TenantStore,
  TenantUsage,
} from '#core';

type Owned = { readonly collection: CollectionKey };

/** What is looked through for what a tenant has. */
interface StoredRecords {
  items(where: (item: Owned) => boolean): readonly StoredItem[];
  files(where: (file: Owned) => boolean): readonly Content[];
}

/** The tenants in memory. */
export class MemoryTenantStore implements TenantStore {
  readonly #tenants = new Map<string, Tenant>();
  readonly #collections: Pick<CollectionStore, 'list'>;
  readonly #subscriptions: Pick<SubscriptionStore, 'list'>;

  readonly #stored: StoredRecords;

  constructor(
    collections: Pick<CollectionStore, 'list'>,
    subscriptions: Pick<SubscriptionStore, 'list'>,
    stored: StoredRecords,
  ) {
    this.#collections = collections;
    this.#subscriptions = subscriptions;
    this.#stored = stored;
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

  async change(name: string, { limits = {}, isSuspended }: TenantChange): Promise<Tenant | undefined> {
    const former = this.#tenants.get(name);
    if (former === undefined) return undefined;
    const changed = Object.entries({ ...former.limits, ...limits }).filter(([, limit]) => limit !== null);
    const tenant = {
      ...former,
      limits: Object.fromEntries(changed),
      isSuspended: isSuspended ?? former.isSuspended,
    };
    this.#tenants.set(name, tenant);
    return tenant;
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
    const subscriptions = (await Promise.all(lists)).flat().length;
    return { collections: own.length, subscriptions, ...(await this.stored(name)) };
  }

  async stored(name: string): Promise<StoredUsage> {
    const isOwn = ({ collection }: Owned): boolean => tenantOf(nameOf(collection)) === name;
    const [items, files] = [this.#stored.items(isOwn), this.#stored.files(isOwn)];
    const sizes = [...items.map(({ content }) => itemBytes(content)), ...files.map(({ length }) => length)];
    return {
      items: items.filter(({ deleted }) => !deleted).length,
      bytes: sizes.reduce((total, size) => total + size, 0),
      files: files.length,
    };
  }

  async counted(): Promise<void> {
    // Everything is counted when it is read.
  }

  async recount(): Promise<undefined> {
    return undefined;
  }

  async remove(name: string): Promise<boolean> {
    const { collections } = await this.usage(name);
    return collections === 0 && this.#tenants.delete(name);
  }
}
