import type { CollectionKey, FeedStore, PendingFeed, TreeFeed } from '#core';
import type { Records } from './records.ts';
import { follows } from './records.ts';

/**
 * A feed with the number of times that its title or head has changed, and whether the last of these has no
 * date yet.
 */
export interface FeedRecord extends TreeFeed {
  readonly revision: number;
  readonly isPending: boolean;
}

/** The feeds of trees in memory. */
export class MemoryFeedStore implements FeedStore {
  readonly #feeds: Records<FeedRecord>;

  constructor(feeds: Records<FeedRecord>) {
    this.#feeds = feeds;
  }

  async create(feed: Omit<TreeFeed, 'publishedAt'>): Promise<boolean> {
    return this.#feeds.get(feed.collection, feed.id) === undefined && this.put(feed);
  }

  async put({
    collection,
    id,
    title,
    head,
    url,
    createdAt,
  }: Omit<TreeFeed, 'publishedAt'>): Promise<boolean> {
    const stored = this.#feeds.get(collection, id);
    const { publishedAt, revision = 0, isPending = false } = stored ?? {};
    const isChanged =
      stored !== undefined && JSON.stringify([stored.title, stored.head]) !== JSON.stringify([title, head]);
    this.#feeds.set({
      collection,
      id,
      title,
      head,
      ...(url !== undefined && { url }),
      ...(publishedAt && { publishedAt }),
      createdAt: stored?.createdAt ?? createdAt,
      revision: revision + (isChanged ? 1 : 0),
      isPending: isChanged || isPending,
    });
    return stored === undefined;
  }

  async load(collection: CollectionKey, ids: readonly string[]): Promise<Map<string, TreeFeed>> {
    return new Map(
      ids.flatMap((id) => this.#feeds.get(collection, id) ?? []).map((feed) => [feed.id, toTreeFeed(feed)]),
    );
  }

  async list(
    collection: CollectionKey,
    { after, limit }: { after?: string; limit: number },
  ): Promise<TreeFeed[]> {
    return this.#feeds
      .select({ where: (feed) => feed.collection === collection && follows(feed.id, after), limit })
      .map(toTreeFeed);
  }

  async remove(collection: CollectionKey, id: string): Promise<boolean> {
    return this.#feeds.delete(collection, id);
  }

  async raise(collection: CollectionKey, ids: readonly string[], at: Date): Promise<void> {
    for (const id of ids) {
      const feed = this.#feeds.get(collection, id);
      if (feed && !(feed.publishedAt && feed.publishedAt >= at))
        this.#feeds.set({ ...feed, publishedAt: at });
    }
  }

  async publishAgain(collection: CollectionKey): Promise<void> {
    const feeds = this.#feeds.select({ where: (feed) => feed.collection === collection, limit: Infinity });
    for (const feed of feeds) this.#feeds.set({ ...feed, isPending: true });
  }

  async pending(collection: CollectionKey, limit: number): Promise<PendingFeed[]> {
    return this.#feeds
      .select({ where: (feed) => feed.collection === collection && feed.isPending, limit })
      .map(({ id, revision }) => ({ id, revision }));
  }

  async collectionsPending(): Promise<CollectionKey[]> {
    return this.#feeds.collections(({ isPending }) => isPending);
  }

  async markPublished(collection: CollectionKey, feeds: readonly PendingFeed[]): Promise<void> {
    this.end(collection, feeds);
  }

  /** Records that readers can find these changes. */
  end(collection: CollectionKey, feeds: readonly PendingFeed[]): void {
    for (const { id, revision } of feeds) {
      const feed = this.#feeds.get(collection, id);
      if (feed?.revision === revision) this.#feeds.set({ ...feed, isPending: false });
    }
  }
}

function toTreeFeed({ revision: _revision, isPending: _isPending, ...feed }: FeedRecord): TreeFeed {
  return feed;
}
