import type { Model, mongo } from 'mongoose';
import type { Recount, StoredUsage, Tenant, TenantChange, TenantStore, TenantUsage } from '#core';
import { isPresent } from './collection-document.ts';
import type { TenantDocument } from './tenant-document.ts';
import type { UsageCounter } from './usage-counter.ts';
import { recountUsage } from './usage-recount.ts';
import type { CountedRows } from './usage-recount.ts';

/** What is counted of a tenant, by keys that begin with its name. */
type Rows = Pick<mongo.Collection<{ _id: string }>, 'countDocuments'>;

/** The tenants in MongoDB. */
export class MongoTenantStore implements TenantStore {
  readonly #tenants: Model<TenantDocument>;
  readonly #subscriptions: Rows;
  readonly #counted: CountedRows;
  readonly #counter: UsageCounter;

  constructor(
    tenants: Model<TenantDocument>,
    subscriptions: Rows,
    counted: CountedRows,
    counter: UsageCounter,
  ) {
    this.#tenants = tenants;
    this.#subscriptions = subscriptions;
    this.#counted = counted;
    this.#counter = counter;
  }

  async put(
    name: string,
    { limits, isSuspended }: Pick<Tenant, 'limits' | 'isSuspended'>,
    now: Date,
  ): Promise<{ readonly created: boolean; readonly tenant: Tenant }> {
    const former = await this.#tenants
      .findOneAndUpdate(
        { _id: name },
        { $set: { limits, isSuspended }, $setOnInsert: { createdAt: now } },
        { upsert: true },
      )
      .lean<TenantDocument | null>();
    const createdAt = former?.createdAt ?? now;
    return { created: former === null, tenant: { name, limits, isSuspended, createdAt } };
  }

  async change(name: string, { limits = {}, isSuspended }: TenantChange): Promise<Tenant | undefined> {
    const set: Record<string, unknown> = isSuspended === undefined ? {} : { isSuspended };
    const unset: Record<string, ''> = {};
    for (const [what, limit] of Object.entries(limits))
      if (limit === null) unset[`limits.${what}`] = '';
      else set[`limits.${what}`] = limit;
    const change = { $set: set, $unset: unset };
    const changed = await this.#tenants
      .findOneAndUpdate({ _id: name }, change, { returnDocument: 'after' })
      .lean<TenantDocument | null>();
    return changed === null ? undefined : tenantIn(changed);
  }

  async find(name: string): Promise<Tenant | undefined> {
    const found = await this.#tenants.findById(name).lean<TenantDocument | null>();
    return found === null ? undefined : tenantIn(found);
  }

  async list({ after, limit }: { readonly after?: string; readonly limit: number }): Promise<Tenant[]> {
    const found = await this.#tenants
      .find(after === undefined ? {} : { _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<TenantDocument[]>();
    return found.map(tenantIn);
  }

  async suspended(): Promise<string[]> {
    const found = await this.#tenants.find({ isSuspended: true }, { _id: 1 }).lean<TenantDocument[]>();
    return found.map(({ _id }) => _id);
  }

  async usage(name: string): Promise<TenantUsage> {
    const [collections, subscriptions, stored] = await Promise.all([
      this.#counted.collections.countDocuments({ _id: namesOf(name), ...isPresent }),
      this.#subscriptions.countDocuments({ _id: namesOf(name) }),
      this.stored(name),
    ]);
    return { collections, subscriptions, ...stored };
  }

  async stored(name: string): Promise<StoredUsage> {
    await this.#counter.written();
    const [sums] = await this.#counted.usage
      .aggregate<StoredUsage>([
        { $match: { _id: namesOf(name) } },
        {
          $group: {
            _id: null,
            items: { $sum: '$items' },
            bytes: { $sum: '$bytes' },
            files: { $sum: '$files' },
          },
        },
      ])
      .toArray();
    const { items = 0, bytes = 0, files = 0 } = sums ?? {};
    return { items, bytes, files };
  }

  async counted(): Promise<void> {
    await this.#counter.written();
  }

  async recount(before: Date, lease: number): Promise<Recount | undefined> {
    await this.#counter.written();
    return recountUsage(this.#counted, before, lease);
  }

  async remove(name: string): Promise<boolean> {
    const isOwn = { _id: namesOf(name), ...isPresent };
    if ((await this.#counted.collections.countDocuments(isOwn, { limit: 1 })) > 0) return false;
    const { deletedCount } = await this.#tenants.deleteOne({ _id: name });
    return deletedCount > 0;
  }
}

/** A condition on what begins with the name of a tenant and a dot; '/' is the character after '.'. */
function namesOf(name: string): { $gte: string; $lt: string } {
  return { $gte: `${name}.`, $lt: `${name}/` };
}

function tenantIn({ _id, ...tenant }: TenantDocument): Tenant {
  return { name: _id, ...tenant };
}
