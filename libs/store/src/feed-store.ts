import type { Model } from 'mongoose';
import type { FeedStore, TreeFeed } from '#ports';
import { chunksOf } from './chunk.ts';
import type { FeedDocument } from './feed-document.ts';
import { keyOf, keysOf } from './key.ts';

const withoutKey = { _id: 0 } as const;

/** The feeds of trees in MongoDB. */
export class MongoFeedStore implements FeedStore {
  readonly #feeds: Model<FeedDocument>;

  constructor(feeds: Model<FeedDocument>) {
    this.#feeds = feeds;
  }

  async create({ collection, id, title, head, url, createdAt }: Omit<TreeFeed, 'publishedAt'>): Promise<boolean> {
    const feed = { collection, id, title, head, ...(url !== undefined && { url }), createdAt };
    const { upsertedCount } = await this.#feeds.updateOne({ _id: keyOf(collection, id) }, { $setOnInsert: feed }, { upsert: true });
    return upsertedCount === 1;
  }

  async put({ collection, id, title, head, url, createdAt }: Omit<TreeFeed, 'publishedAt'>): Promise<boolean> {
    const { upsertedCount } = await this.#feeds.updateOne(
      { _id: keyOf(collection, id) },
      { $set: { title, head, ...(url !== undefined && { url }) }, ...(url === undefined && { $unset: { url: '' } }), $setOnInsert: { collection, id, createdAt } },
      { upsert: true },
    );
    return upsertedCount === 1;
  }

  async load(collection: string, ids: readonly string[]): Promise<Map<string, TreeFeed>> {
    const loaded = new Map<string, TreeFeed>();
    for (const chunk of chunksOf(ids)) {
      const feeds = await this.#feeds.find({ _id: { $in: chunk.map((id) => keyOf(collection, id)) } }, withoutKey).lean<TreeFeed[]>();
      for (const feed of feeds) loaded.set(feed.id, feed);
    }
    return loaded;
  }

  async list(collection: string, page: { after?: string; limit: number }): Promise<TreeFeed[]> {
    return this.#feeds.find({ _id: keysOf(collection, page.after) }, withoutKey).sort({ _id: 1 }).limit(page.limit).lean<TreeFeed[]>();
  }

  async remove(collection: string, id: string): Promise<boolean> {
    const { deletedCount } = await this.#feeds.deleteOne({ _id: keyOf(collection, id) });
    return deletedCount === 1;
  }

  async raise(collection: string, ids: readonly string[], at: Date): Promise<void> {
    for (const chunk of chunksOf(ids)) {
      await this.#feeds.updateMany({ _id: { $in: chunk.map((id) => keyOf(collection, id)) } }, { $max: { publishedAt: at } });
    }
  }
}
