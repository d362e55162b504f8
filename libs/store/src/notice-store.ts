import type { Model } from 'mongoose';
import type { CollectionKey, Notice, NoticeStore } from '#core';
import { keyOf } from './key.ts';
import type { NoticeDocument } from './notice-document.ts';

/** The outbox of subscription events in MongoDB. */
export class MongoNoticeStore implements NoticeStore {
  readonly #notices: Model<NoticeDocument>;

  constructor(notices: Model<NoticeDocument>) {
    this.#notices = notices;
  }

  async add(notice: Notice): Promise<void> {
    await this.#notices.updateOne(
      { _id: keyOf(notice.collection, notice.id) },
      { $setOnInsert: notice },
      { upsert: true },
    );
  }

  async pending(collection: CollectionKey, limit: number): Promise<Notice[]> {
    return this.#notices
      .find({ collection }, { _id: 0 })
      .sort({ at: 1, _id: 1 })
      .limit(limit)
      .lean<Notice[]>();
  }

  async collectionsPending(): Promise<CollectionKey[]> {
    // What is kept of those that became events names no collection.
    return this.#notices.distinct('collection', { collection: { $gt: '' as CollectionKey } });
  }
}
