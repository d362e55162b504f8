import type { Model, mongo } from 'mongoose';
import type { CollectionKey, FeedStore, PendingFeed, TreeFeed } from '#core';
import { chunksOf } from './chunk.ts';
import type { FeedDocument } from './feed-document.ts';
import { feedUpdate } from './feed-update.ts';
import { JoinedReads } from './joined-reads.ts';
import { collectionsAfter, keyOf, keysOf } from './key.ts';

/** What of a document is not the feed's; a feed that is read by its key has its key besides. */
const ofReaders = { revision: 0, pending: 0 } as const;
const internal = { _id: 0, ...ofReaders } as const;

type FeedRow = TreeFeed & Pick<FeedDocument, '_id'>;

/** The feeds of trees in MongoDB. */
export class MongoFeedStore implements FeedStore {
  readonly #feeds: Model<FeedDocument>;
  readonly #reads: JoinedReads<string, FeedRow>;

  constructor(feeds: Model<FeedDocument>) {
    this.#feeds = feeds;
    this.#reads = new JoinedReads((keys) => this.#loadAll(keys));
  }

  async create({
    collection,
    id,
    title,
    head,
    url,
    createdAt,
  }: Omit<TreeFeed, 'publishedAt'>): Promise<boolean> {
    const feed = {
      collection,
      id,
      title,
      head,
      ...(url !== undefined && { url }),
      createdAt,
      revision: 0,
      pending: false,
    };
    const { upsertedCount } = await this.#feeds.updateOne(
      { _id: keyOf(collection, id) },
      { $setOnInsert: feed },
      { upsert: true },
    );
    return upsertedCount === 1;
  }

  async put(feed: Omit<TreeFeed, 'publishedAt'>): Promise<boolean> {
    const { upsertedCount } = await this.#feeds.updateOne(
      { _id: keyOf(feed.collection, feed.id) },
      feedUpdate(feed),
      { upsert: true, updatePipeline: true },
    );
    return upsertedCount === 1;
  }

  async load(collection: CollectionKey, ids: readonly string[]): Promise<Map<string, TreeFeed>> {
    const loaded = new Map<string, TreeFeed>();
    for (const chunk of chunksOf(ids)) {
      const keys = chunk.map((id) => keyOf(collection, id));
      const [only = ''] = keys;
      const rows = keys.length === 1 ? await this.#loadOne(only) : await this.#loadAll(keys);
      for (const { _id, ...feed } of rows) loaded.set(feed.id, feed);
    }
    return loaded;
  }

  /** Many requests, each for one feed, share a query. */
  async #loadOne(key: string): Promise<readonly FeedRow[]> {
    const row = await this.#reads.read(key);
    return row === undefined ? [] : [row];
  }

  async #loadAll(keys: readonly string[]): Promise<readonly FeedRow[]> {
    const rows = this.#feeds.collection as unknown as mongo.Collection<FeedDocument>;
    return rows
      .find({ _id: { $in: [...keys] } }, { batchSize: keys.length + 1 })
      .project<FeedRow>(ofReaders)
      .toArray();
  }

  async list(collection: CollectionKey, page: { after?: string; limit: number }): Promise<TreeFeed[]> {
    return this.#feeds
      .find({ _id: keysOf(collection, page.after) }, internal)
      .sort({ _id: 1 })
      .limit(page.limit)
      .lean<TreeFeed[]>();
  }

  async remove(collection: CollectionKey, id: string): Promise<boolean> {
    const { deletedCount } = await this.#feeds.deleteOne({ _id: keyOf(collection, id) });
    return deletedCount === 1;
  }

  async raise(collection: CollectionKey, ids: readonly string[], at: Date): Promise<void> {
    for (const chunk of chunksOf(ids)) {
      await this.#feeds.updateMany(
        { _id: { $in: chunk.map((id) => keyOf(collection, id)) } },
        { $max: { publishedAt: at } },
      );
    }
  }

  async publishAgain(collection: CollectionKey): Promise<void> {
    await this.#feeds.updateMany({ collection }, { $set: { pending: true } });
  }

  async pending(collection: CollectionKey, limit: number): Promise<PendingFeed[]> {
    return this.#feeds
      .find({ collection, pending: true }, { _id: 0, id: 1, revision: 1 })
      .sort({ id: 1 })
      .limit(limit)
      .lean<PendingFeed[]>();
  }

  async collectionsPending(): Promise<CollectionKey[]> {
    // The bound on the collection lets the index of pending feeds answer.
    return this.#feeds.distinct('collection', { collection: collectionsAfter(), pending: true });
  }

  /** @param session of the transaction in which it is done, if any */
  async markPublished(
    collection: CollectionKey,
    feeds: readonly PendingFeed[],
    session?: mongo.ClientSession,
  ): Promise<void> {
    for (const chunk of chunksOf(feeds)) {
      await this.#feeds.updateMany(
        { $or: chunk.map(({ id, revision }) => ({ _id: keyOf(collection, id), revision })) },
        { $set: { pending: false } },
        { session },
      );
    }
  }
}
