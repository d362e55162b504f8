import type { FeedStore, TreeFeed } from '#ports';
import type { Records } from './records.ts';
import { follows } from './records.ts';

/** The feeds of trees in memory. */
export class MemoryFeedStore implements FeedStore {
  readonly #feeds: Records<TreeFeed>;

  constructor(feeds: Records<TreeFeed>) {
    this.#feeds = feeds;
  }

  async create(feed: Omit<TreeFeed, 'publishedAt'>): Promise<boolean> {
    return this.#feeds.get(feed.collection, feed.id) === undefined && this.put(feed);
  }

  async put({ collection, id, title, head, url, createdAt }: Omit<TreeFeed, 'publishedAt'>): Promise<boolean> {
    const stored = this.#feeds.get(collection, id);
    const publishedAt = stored?.publishedAt;
    this.#feeds.set({ collection, id, title, head, ...(url !== undefined && { url }), ...(publishedAt && { publishedAt }), createdAt: stored?.createdAt ?? createdAt });
    return stored === undefined;
  }

  async load(collection: string, ids: readonly string[]): Promise<Map<string, TreeFeed>> {
    return new Map(ids.flatMap((id) => this.#feeds.get(collection, id) ?? []).map((feed) => [feed.id, feed]));
  }

  async list(collection: string, { after, limit }: { after?: string; limit: number }): Promise<TreeFeed[]> {
    return this.#feeds.select({ where: (feed) => feed.collection === collection && follows(feed.id, after), limit });
  }

  async remove(collection: string, id: string): Promise<boolean> {
    return this.#feeds.delete(collection, id);
  }

  async raise(collection: string, ids: readonly string[], at: Date): Promise<void> {
    for (const id of ids) {
      const feed = this.#feeds.get(collection, id);
      if (feed && !(feed.publishedAt && feed.publishedAt >= at)) this.#feeds.set({ ...feed, publishedAt: at });
    }
  }
}
