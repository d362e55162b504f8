import { itemSize, CseFeedReader } from '#cse';
import type { Feed } from '#cse';
import { FeedViolations } from './feed-violations.ts';

/** A feed has more items and links than its tree may still have. */
export class FeedTooLargeError extends Error {
  override readonly name = 'FeedTooLargeError';
}

/** A feed of a tree that is read while its bytes arrive. */
export class FeedReading {
  readonly violations: FeedViolations;
  readonly #reader: CseFeedReader;
  readonly #linksLeft: () => number;
  #size = 0;

  /**
   * @param url that the feed is known by
   * @param base where it came from, after redirects: what relative URLs in it are relative to
   * @param linksLeft how large it may be, as `feedSize` of `#cse` counts it
   */
  constructor(url: string, base: string, contentType: string | undefined, linksLeft: () => number) {
    this.violations = new FeedViolations(url);
    this.#reader = new CseFeedReader({ base, contentType });
    this.#linksLeft = linksLeft;
  }

  /**
   * @throws FeedError if the document is not a feed, not well-formed or beyond a limit; FeedTooLargeError
   */
  write(bytes: Uint8Array): void {
    for (const { item, violations } of this.#reader.write(bytes)) {
      this.#size += itemSize(item);
      this.violations.add(violations);
    }
    if (this.#size > this.#linksLeft()) throw new FeedTooLargeError();
  }

  /** @throws FeedError as `write` does */
  end(): Feed {
    const { feed, violations } = this.#reader.end();
    this.violations.add(violations);
    return feed;
  }
}
