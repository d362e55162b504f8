import type { CollectionKey, Notice, NoticeStore } from '#core';
import type { Records } from './records.ts';

/** The outbox of subscription events in memory. */
export class MemoryNoticeStore implements NoticeStore {
  readonly #notices: Records<Notice>;

  constructor(notices: Records<Notice>) {
    this.#notices = notices;
  }

  async add(notice: Notice): Promise<void> {
    if (!this.#notices.get(notice.collection, notice.id)) this.#notices.set(notice);
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

  async remove(collection: CollectionKey, ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#notices.delete(collection, id);
  }
}
