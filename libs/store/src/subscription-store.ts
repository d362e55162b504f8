import type { Model, QueryFilter, UpdateQuery, UpdateWithAggregationPipeline } from 'mongoose';
import { hostOf } from '#core';
import type {
  CollectionKey,
  Cursor,
  FeedSummary,
  FetchReport,
  NextFetch,
  Subscription,
  SubscriptionId,
  SubscriptionStatus,
  SubscriptionStore,
  TreeProgress,
} from '#core';
import { isDuplicateKey } from './duplicate-key.ts';
import { keyOf, keysOf } from './key.ts';
import type { SubscriptionDocument } from './subscription-document.ts';

/** No manifest has a lease that still runs; a missing time is less than any. */
const unleased = { $lte: ['$leasedUntil', '$$NOW'] };
/** What the port does not speak of. */
const internal = { _id: 0, leasedUntil: 0, host: 0, isRefreshed: 0 } as const;

/** Subscriptions in MongoDB. Leases run by the server's clock. */
export class MongoSubscriptionStore implements SubscriptionStore {
  readonly #subscriptions: Model<SubscriptionDocument>;
  readonly #changed: (collection: CollectionKey) => Promise<void>;

  /** @param changed called after each change that the heads of the collection's feeds may tell of */
  constructor(
    subscriptions: Model<SubscriptionDocument>,
    changed: (collection: CollectionKey) => Promise<void>,
  ) {
    this.#subscriptions = subscriptions;
    this.#changed = changed;
  }

  async put(subscription: Subscription): Promise<{ created: boolean; subscription: Subscription }> {
    const stored = await this.#put(subscription);
    await this.#changed(subscription.collection);
    return stored;
  }

  async #put(subscription: Subscription): Promise<{ created: boolean; subscription: Subscription }> {
    const { collection, id, url, interval, status, nextFetchAt, nextFetchReason } = subscription;
    const _id = keyOf(collection, id);
    // Each step is atomic; only if another process creates or removes it in between is there a second
    // round.
    for (;;) {
      const sameFeed = await this.#change({ _id, url }, { $set: { interval, status } });
      if (sameFeed) return { created: false, subscription: sameFeed };
      const otherFeed = await this.#change(
        { _id, url: { $ne: url } },
        // The lease ends: what is being fetched is the former feed, and its cursor must not become this
        // one's.
        {
          $set: {
            url,
            host: hostOf(url),
            interval,
            status,
            cursor: {},
            failures: 0,
            nextFetchAt,
            nextFetchReason,
          },
          $inc: { cursorVersion: 1 },
          $unset: { feed: '', progress: '', manifest: '', leasedUntil: '', isRefreshed: '' },
        },
      );
      if (otherFeed) return { created: false, subscription: otherFeed };
      try {
        await this.#subscriptions.create({ _id, ...subscription, host: hostOf(url) });
        return { created: true, subscription };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  async find(collection: CollectionKey, id: SubscriptionId): Promise<Subscription | undefined> {
    return (
      (await this.#subscriptions.findById(keyOf(collection, id), internal).lean<Subscription>()) ?? undefined
    );
  }

  async list(collection: CollectionKey, page: { after?: string; limit: number }): Promise<Subscription[]> {
    return this.#subscriptions
      .find({ _id: keysOf(collection, page.after) }, internal)
      .sort({ _id: 1 })
      .limit(page.limit)
      .lean<Subscription[]>();
  }

  async remove(collection: CollectionKey, id: SubscriptionId): Promise<boolean> {
    const { deletedCount } = await this.#subscriptions.deleteOne({ _id: keyOf(collection, id) });
    if (deletedCount === 1) await this.#changed(collection);
    return deletedCount === 1;
  }

  async due(now: Date, limit: number, exceptHosts: readonly string[] = []): Promise<Subscription[]> {
    const host = exceptHosts.length > 0 ? { host: { $nin: exceptHosts } } : {};
    const filter = { status: 'active' as const, nextFetchAt: { $lte: now }, ...host, $expr: unleased };
    return this.#subscriptions
      .find(filter, internal)
      .sort({ nextFetchAt: 1 })
      .limit(limit)
      .lean<Subscription[]>();
  }

  async refresh(
    collection: CollectionKey,
    id: SubscriptionId,
    { nextFetchAt, nextFetchReason }: NextFetch,
    activate: boolean,
  ): Promise<Subscription | undefined> {
    const change = {
      nextFetchAt,
      nextFetchReason,
      isRefreshed: true,
      ...(activate && { status: 'active' as const }),
    };
    const refreshed = await this.#change(
      { _id: keyOf(collection, id), status: { $ne: 'gone' } },
      { $set: change },
    );
    if (activate && refreshed !== undefined) await this.#changed(collection);
    return refreshed;
  }

  async pause(collection: CollectionKey, id: SubscriptionId): Promise<Subscription | undefined> {
    const paused = await this.#change(
      { _id: keyOf(collection, id), status: { $ne: 'gone' } },
      { $set: { status: 'paused' } },
    );
    if (paused !== undefined) await this.#changed(collection);
    return paused;
  }

  async lease(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    duration: number,
    now?: Date,
  ): Promise<Subscription | undefined> {
    const filter = {
      _id: keyOf(collection, id),
      status: 'active' as const,
      ...(now && { nextFetchAt: { $lte: now } }),
      $expr: unleased,
    };
    const leased = { manifest: { $literal: manifest }, leasedUntil: { $add: ['$$NOW', duration] } };
    return this.#change(filter, [{ $set: leased }, { $unset: 'isRefreshed' }]);
  }

  async renew(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    duration: number,
    progress?: TreeProgress,
  ): Promise<boolean> {
    const change = [
      {
        $set: {
          leasedUntil: { $max: ['$leasedUntil', { $add: ['$$NOW', duration] }] },
          ...(progress && { progress: { $literal: progress } }),
        },
      },
    ];
    const { matchedCount } = await this.#subscriptions.updateOne(
      { _id: keyOf(collection, id), manifest },
      change,
      { updatePipeline: true },
    );
    return matchedCount === 1;
  }

  async complete(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    result: NextFetch & {
      report: FetchReport;
      cursor?: Cursor;
      feed?: FeedSummary;
      status?: SubscriptionStatus;
      url?: string;
    },
  ): Promise<boolean> {
    const { report, cursor, feed, status, url } = result;
    const succeeded = report.outcome === 'fetched' || report.outcome === 'not-modified';
    const changes = {
      last: report,
      ...(report.progress && { progress: report.progress }),
      ...(cursor && { cursor }),
      ...(feed && { feed }),
      ...(status && { status }),
      ...(url !== undefined && { url, host: hostOf(url) }),
      ...(succeeded && { failures: 0 }),
    };
    const ended = await this.#end(keyOf(collection, id), manifest, result, changes, {
      cursorVersion: cursor ? 1 : 0,
      ...(!succeeded && { failures: 1 }),
    });
    if (ended && (feed ?? status ?? url) !== undefined) await this.#changed(collection);
    return ended;
  }

  async release(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    next: NextFetch,
  ): Promise<boolean> {
    return this.#end(keyOf(collection, id), manifest, next, {}, {});
  }

  async postponeHost(host: string, { nextFetchAt, nextFetchReason }: NextFetch): Promise<number> {
    const filter = { status: 'active' as const, host, nextFetchAt: { $lt: nextFetchAt }, $expr: unleased };
    return (await this.#subscriptions.updateMany(filter, { $set: { nextFetchAt, nextFetchReason } }))
      .modifiedCount;
  }

  /** Ends a fetch. The time of a refresh that was requested during it goes before the given one. */
  async #end(
    _id: string,
    manifest: string,
    next: NextFetch,
    changes: Partial<SubscriptionDocument>,
    $inc: Record<string, number>,
  ): Promise<boolean> {
    const { nextFetchAt, nextFetchReason } = next;
    const end = async (isRefreshed: boolean, schedule: Partial<NextFetch>): Promise<boolean> => {
      const filter = { _id, manifest, isRefreshed: isRefreshed ? true : { $ne: true } };
      const change = {
        $set: { ...changes, ...schedule },
        $inc,
        $unset: { manifest: '', leasedUntil: '', isRefreshed: '' },
      };
      return (await this.#subscriptions.updateOne(filter, change)).matchedCount === 1;
    };
    // Each step is atomic, and a requested refresh stays so until the fetch has ended.
    return (await end(false, { nextFetchAt, nextFetchReason })) || end(true, {});
  }

  async #change(
    filter: QueryFilter<SubscriptionDocument>,
    change: UpdateQuery<SubscriptionDocument> | UpdateWithAggregationPipeline,
  ): Promise<Subscription | undefined> {
    const options = {
      returnDocument: 'after',
      projection: internal,
      updatePipeline: Array.isArray(change),
    } as const;
    return (
      (await this.#subscriptions.findOneAndUpdate(filter, change, options).lean<Subscription>()) ?? undefined
    );
  }
}
