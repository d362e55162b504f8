import type { CollectionKey, Notice, NoticeStore } from '#core';
import type { Records } from './records.ts';

/** The outbox of subscription events in memory. */
export class MemoryNoticeStore implements NoticeStore {
  readonly #notices: Records<Notice>;
  /** Those that became events; nothing lives long enough here for them to be forgotten. */
  readonly #published = new Set<string>();

  constructor(notices: Records<Notice>) {
    this.#notices = notices;
  }

  async add(notice: Notice): Promise<void> {
    const { collection, id } = notice;
    if (this.#published.has(`${collection}/${id}`)) return;
    if (!this.#notices.get(collection, id)) this.#notices.set(notice);
  }

  async pending(collection: CollectionKey, limit: number): Promise<Notice[]> {
    return this.#notices.select({
      where: (notice) => notice.collection === collection,
      order: ({ at }) => at.getTime(),
      limit,
    });
  }

  async collectionsPending(): Promise<CollectionKey[]> {
    return this.#notices.collections();
  }

  async markPublished(collection: CollectionKey, ids: readonly string[]): Promise<void> {
    for (const id of ids)
      if (this.#notices.delete(collection, id)) this.#published.add(`${collection}/${id}`);
  }
}
