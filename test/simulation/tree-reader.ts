import type { Link } from '#cse';
import { readFeedText } from './tree-view.ts';
import type { ReadFeed } from './tree-view.ts';

/** A document as a plain reader keeps it. */
interface KeptDocument {
  readonly text: string;
  readonly feed?: ReadFeed;
}

/**
 * A reader that does what the specification prints (CSE, Sync Algorithm), word for word, and takes no care
 * beyond it.
 */
export class PlainReader {
  readonly #cache = new Map<string, KeptDocument>();

  /**
   * @param get the text at an address; undefined if there is none, which the algorithm does not know of:
   * the link is skipped
   */
  constructor(
    readonly root: string,
    private readonly get: (url: string) => Promise<string | undefined>,
  ) {}

  /** What the cache holds of an address. */
  readonly kept = (url: string): string | undefined => this.#cache.get(url)?.text;

  async sync(): Promise<void> {
    const queue: Link[] = [{ url: this.root, nestedFeed: true, onDemand: false }];
    for (let link = queue.shift(); link !== undefined; link = queue.shift()) {
      const text = await this.get(link.url);
      if (text === undefined) continue;
      const feed = link.nestedFeed ? readFeedText(link.url, text) : undefined;
      if (feed !== undefined) queue.push(...this.#wanted(this.#cache.get(link.url)?.feed, feed));
      this.#cache.set(link.url, { text, ...(feed && { feed }) });
    }
  }

  #wanted(cached: ReadFeed | undefined, feed: ReadFeed): Link[] {
    const automatic = (items: ReadFeed['items']): Link[] =>
      items.flatMap(({ links }) => links.filter(({ onDemand }) => !onDemand));
    if (cached === undefined) return automatic(feed.items);
    if (!(feed.lastBuildDate > cached.lastBuildDate)) return [];
    return automatic(
      feed.items.filter((item) => {
        const before = cached.items.find(({ id }) => id === item.id);
        return before === undefined || before.lastBuildDate < item.lastBuildDate;
      }),
    );
  }
}
