import type { Feed, Item } from '#cse';
import { createFeedDecoder, FeedScanner, readCseFeed, readCseItem } from '#feed-xml';
import { breachAt } from '../feed/breach-at.ts';
import { FeedBreaches } from './feed-breaches.ts';

/** A feed of a tree that is read while its bytes arrive. */
export class FeedReading {
  readonly breaches: FeedBreaches;
  readonly #base: string;
  readonly #decoder: ReturnType<typeof createFeedDecoder>;
  readonly #scanner: FeedScanner;
  readonly #items: Item[] = [];
  /** The line of each item by its identity. */
  readonly #lines = new Map<string, number>();

  /**
   * @param url that the feed is known by
   * @param base where it came from, after redirects: what relative URLs in it are relative to
   */
  constructor(url: string, base: string, contentType: string | undefined) {
    this.breaches = new FeedBreaches(url);
    this.#base = base;
    this.#decoder = createFeedDecoder(contentType);
    this.#scanner = new FeedScanner();
  }

  /** @throws FeedError where the document is not a feed, not well-formed or beyond a limit */
  write(bytes: Uint8Array): void {
    this.#scan(this.#decoder.write(bytes));
  }

  /** @throws FeedError as `write` does */
  end(): Feed {
    this.#scan(this.#decoder.end());
    return readCseFeed(this.#scanner.end(), this.#items);
  }

  #scan(text: string): void {
    for (const fragment of this.#scanner.write(text)) {
      const { item, breaches } = readCseItem(fragment, this.#base);
      this.#items.push(item);
      this.breaches.add(breaches);
      const line = this.#lines.get(item.id);
      if (line === undefined) this.#lines.set(item.id, fragment.line);
      else this.breaches.add([breachAt(fragment, 'cse-guid-unique', `the item is known by the same as that in line ${line}; a guid is unique within the tree`)]);
    }
  }
}
