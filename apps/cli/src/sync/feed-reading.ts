import type { Feed } from '#cse';
import { CseFeedReader } from '#feed-xml';
import { FeedBreaches } from './feed-breaches.ts';

/** A feed of a tree that is read while its bytes arrive. */
export class FeedReading {
  readonly breaches: FeedBreaches;
  readonly #reader: CseFeedReader;

  /**
   * @param url that the feed is known by
   * @param base where it came from, after redirects: what relative URLs in it are relative to
   */
  constructor(url: string, base: string, contentType: string | undefined) {
    this.breaches = new FeedBreaches(url);
    this.#reader = new CseFeedReader({ base, contentType });
  }

  /** @throws FeedError where the document is not a feed, not well-formed or beyond a limit */
  write(bytes: Uint8Array): void {
    for (const { breaches } of this.#reader.write(bytes)) this.breaches.add(breaches);
  }

  /** @throws FeedError as `write` does */
  end(): Feed {
    const { feed, breaches } = this.#reader.end();
    this.breaches.add(breaches);
    return feed;
  }
}
