import type { FeedItem, ItemStore, ItemWrite, PendingItem, PublishedItem, Source, StoredItem } from '#ports';
import type { Records } from './records.ts';
import { follows } from './records.ts';

/** Items in memory. */
export class MemoryItemStore implements ItemStore {
  readonly #items: Records<StoredItem>;

  constructor(items: Records<StoredItem>) {
    this.#items = items;
  }

  async load(collection: string, ids: readonly string[]): Promise<Map<string, StoredItem>> {
    return new Map(ids.flatMap((id) => this.#items.get(collection, id) ?? []).map((item) => [item.id, item]));
  }

  async compareAndSet(writes: readonly ItemWrite[]): Promise<string[]> {
    const lost: string[] = [];
    for (const { expected, item } of writes) {
      const stored = this.#items.get(item.collection, item.id);
      if ((stored?.revision ?? 0) !== expected) lost.push(item.id);
      else this.#items.set({ ...item, revision: expected + 1, sequence: stored?.sequence, announced: stored?.announced });
    }
    return lost;
  }

  async remember(collection: string, sources: readonly (Source & { id: string })[]): Promise<void> {
    for (const { id, subscription, digest } of sources) {
      const item = this.#items.get(collection, id);
      if (item) this.#items.set({ ...item, sources: [...item.sources.filter((source) => source.subscription !== subscription), { subscription, digest }] });
    }
  }

  async known(collection: string, sources: readonly (Source & { id: string })[]): Promise<Set<string>> {
    const known = sources.filter(({ id, subscription, digest }) =>
      this.#items.get(collection, id)?.sources.some((source) => source.subscription === subscription && source.digest === digest),
    );
    return new Set(known.map(({ id }) => id));
  }

  async pending(collection: string, limit: number): Promise<PendingItem[]> {
    return this.#items.select({ where: (item) => item.collection === collection && isPending(item), limit }).map(withoutContent);
  }

  async collectionsPending(): Promise<string[]> {
    return this.#items.collections(isPending);
  }

  async markPublished(collection: string, items: readonly PublishedItem[]): Promise<void> {
    for (const { id, sequence, revision, deleted, conflictCount } of items) {
      const item = this.#items.get(collection, id);
      if (item && (item.sequence ?? 0) < sequence) this.#items.set({ ...item, sequence, announced: { revision, deleted, conflictCount } });
    }
  }

  async list(collection: string, page: { after?: string; limit: number; deleted?: boolean; conflicts?: boolean }): Promise<StoredItem[]> {
    return this.#items.select({
      where: (item) =>
        item.collection === collection &&
        follows(item.id, page.after) &&
        (page.deleted !== false || !item.deleted) &&
        (page.conflicts !== true || item.conflictCount > 0),
      limit: page.limit,
    });
  }

  async *published(collection: string, since: number): AsyncGenerator<FeedItem> {
    let last = since;
    for (;;) {
      const above = last;
      const page = this.#items.select({ where: (item) => item.collection === collection && (item.sequence ?? 0) > above, order: place, limit: 1000 });
      if (page.length === 0) return;
      for (const item of page) {
        last = place(item);
        yield { id: item.id, sequence: last, entry: item.entry, updatedAt: item.updatedAt };
      }
    }
  }

  async windowStart(collection: string, count: number): Promise<number> {
    const published = this.#items.select({ where: (item) => item.collection === collection && place(item) > 0, order: place });
    const item = published.at(-1 - count);
    return item ? place(item) : 0;
  }
}

function withoutContent({ collection, id, revision, deleted, conflictCount, version, subscription, sequence, announced }: StoredItem): PendingItem {
  return { collection, id, revision, deleted, conflictCount, version, subscription, sequence, announced };
}

function isPending({ revision, announced }: StoredItem): boolean {
  return revision > (announced?.revision ?? 0);
}

function place({ sequence }: StoredItem): number {
  return sequence ?? 0;
}
