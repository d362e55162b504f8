import { collectionKey, rootFeed } from '#core';
import type { CollectionKey, Store, StoredItem } from '#core';

type TreeStore = Pick<Store, 'feeds' | 'items'>;

/** A feed as readers are given it, dates in milliseconds. */
interface ShownFeed {
  readonly title: string | undefined;
  readonly lastBuildDate: number;
  readonly items: ReadonlyMap<
    string,
    { readonly lastBuildDate: number; readonly revision: number; readonly nested: string | undefined }
  >;
}

/**
 * An item has the later date of its own and that of the feed that it links to, but none later than that of
 * the feed that it is in.
 */
async function show({ feeds, items }: TreeStore, key: CollectionKey, feed: string): Promise<ShownFeed> {
  const { title, publishedAt } = (await feeds.load(key, [feed])).get(feed) ?? {};
  const lastBuildDate = latest(publishedAt);
  const places = await items.children(key, [feed]);
  const shown = [
    ...(
      await items.load(
        key,
        places.map(({ id }) => id),
      )
    ).values(),
  ].filter(({ deleted, sequence }) => !deleted && sequence !== undefined);
  const nestedFeeds = await feeds.load(
    key,
    shown.flatMap(({ branch }) => branch?.nested ?? []),
  );
  const dateOf = ({ publishedAt, branch }: StoredItem): number =>
    Math.min(lastBuildDate, latest(publishedAt, nestedFeeds.get(branch?.nested ?? '')?.publishedAt));
  return {
    title,
    lastBuildDate,
    items: new Map(
      shown.map((item) => [
        item.id,
        { lastBuildDate: dateOf(item), revision: item.revision, nested: item.branch?.nested },
      ]),
    ),
  };
}

/** The latest of these dates in milliseconds; 0 if there is none. */
export function latest(...dates: readonly (Date | undefined)[]): number {
  return Math.max(0, ...dates.map((date) => date?.getTime() ?? 0));
}

/**
 * A subscriber that keeps a tree in step by the printed algorithm: a nested feed is downloaded for an item
 * that is new or newer, and looked through if it is newer itself. It reads one feed at a time, so that the
 * tree may change while it is read.
 */
export class Reader {
  readonly #cache: Map<string, ShownFeed>;
  #queue = [rootFeed];

  /** @param former one that has what this one begins with */
  constructor(
    private readonly store: TreeStore,
    private readonly name: string,
    former?: Reader,
  ) {
    this.#cache = new Map(former === undefined ? [] : former.#cache);
  }

  /** Downloads the next feed; returns false if none is left. */
  async step(): Promise<boolean> {
    const feed = this.#queue.shift();
    if (feed === undefined) return false;
    const [cached, shown] = [this.#cache.get(feed), await show(this.store, collectionKey(this.name), feed)];
    if (cached === undefined || shown.lastBuildDate > cached.lastBuildDate) {
      for (const [id, { lastBuildDate, nested }] of shown.items)
        if (nested !== undefined && lastBuildDate > (cached?.items.get(id)?.lastBuildDate ?? -1))
          this.#queue.push(nested);
    }
    this.#cache.set(feed, shown);
    return true;
  }

  /**
   * Ends the reading in progress, reads the tree once more, and returns the title of every feed that the root
   * leads to, and the revision of every item in them.
   */
  async sync(): Promise<Record<string, number | string | undefined>> {
    while (await this.step());
    this.#queue = [rootFeed];
    while (await this.step());
    const found: [string, number | string | undefined][] = [];
    const feeds = new Set([rootFeed]);
    for (const feed of feeds) {
      found.push([feed, this.#cache.get(feed)?.title]);
      for (const [id, { revision, nested }] of this.#cache.get(feed)?.items ?? []) {
        found.push([id, revision]);
        if (nested !== undefined) feeds.add(nested);
      }
    }
    return Object.fromEntries(found);
  }
}
