import type { CollectionKey, Notice, NoticeStore } from '#core';
import type { Records } from './records.ts';

/** A notice as memory keeps it. */
export type KeptNotice = Notice & {
  /** Of one that became an event; nothing lives long enough here for it to be forgotten. */
  readonly isPublished?: true;
};

const isPending = ({ isPublished }: KeptNotice): boolean => isPublished !== true;

/** The outbox of subscription events in memory. */
export class MemoryNoticeStore implements NoticeStore {
  readonly #notices: Records<KeptNotice>;

  constructor(notices: Records<KeptNotice>) {
    this.#notices = notices;
  }

  async add(notice: Notice): Promise<void> {
    if (!this.#notices.get(notice.collection, notice.id)) this.#notices.set(notice);
  }

  async pending(collection: CollectionKey, limit: number): Promise<Notice[]> {
    return this.#notices.select({
      where: (notice) => notice.collection === collection && isPending(notice),
      order: ({ at }) => at.getTime(),
      limit,
    });
  }

  async collectionsPending(): Promise<CollectionKey[]> {
    return this.#notices.collections(isPending);
  }

  /** Ends notices that became events. */
  end(collection: CollectionKey, ids: readonly string[]): void {
    for (const id of ids) {
      const notice = this.#notices.get(collection, id);
      if (notice) this.#notices.set({ ...notice, isPublished: true });
    }
  }
}
