import { finish } from '#core';
import type { Steps } from '#core';
import type { Feed } from '../engine/feed.ts';
import type { Violation, FeedDecoder, FeedHead, Fragment, ScanLimits } from '#xml';
import { plainDialect, createFeedDecoder, defaultScanLimits, FeedScanner } from '#xml';
import { readCseItem } from './item-reading.ts';
import type { ParsedCseItem } from './item-reading.ts';
import { CseItemsReader } from './items-reader.ts';

/**
 * Reads a feed of a tree (Content Sync Extensions) while its bytes arrive; of the items that it has answered
 * it keeps what a walk needs. Both methods throw `FeedError` for what is not RSS, not well-formed or beyond a
 * limit; the reader is spent then.
 */
export class CseFeedReader {
  readonly #decoder: FeedDecoder;
  readonly #scanner: FeedScanner;
  readonly #items: CseItemsReader;
  readonly #parse: (fragment: Fragment) => Steps<ParsedCseItem>;

  /**
   * @param options `base` is the absolute address that the feed came from, after redirects: what relative
   *   URLs in it are relative to;
   * `contentType` the media type with its parameters, as the server sent it; if `isForgetful`, its items
   *   are neither kept nor checked with each other: it has none in the end
   */
  constructor(options: {
    readonly base: string;
    readonly contentType?: string;
    readonly limits?: Partial<ScanLimits>;
    readonly isForgetful?: boolean;
  }) {
    const { base, contentType, isForgetful } = options;
    const limits = { ...defaultScanLimits, ...options.limits };
    this.#decoder = createFeedDecoder(contentType);
    this.#scanner = new FeedScanner(plainDialect, { limits });
    this.#items = new CseItemsReader(base, limits);
    this.#parse = isForgetful
      ? (fragment) => readCseItem(fragment, base, limits)
      : (fragment) => this.#items.readSteps(fragment);
  }

  /** Takes the next bytes; returns the items that they complete. */
  write(bytes: Uint8Array): readonly ParsedCseItem[] {
    return finish(this.writeSteps(bytes));
  }

  /** Does what `write` does, in steps. */
  writeSteps(bytes: Uint8Array): Steps<readonly ParsedCseItem[]> {
    return this.#read(this.#decoder.write(bytes));
  }

  /**
   * Ends the feed; returns what it is in a tree, with all its items, its head, and what of the rules these
   * break together.
   */
  end(): { readonly feed: Feed; readonly head: FeedHead; readonly violations: readonly Violation[] } {
    // No item can end here: the last character of one is never held back.
    finish(this.#read(this.#decoder.end()));
    const head = this.#scanner.end();
    return { head, ...this.#items.end(head) };
  }

  *#read(text: string): Steps<readonly ParsedCseItem[]> {
    const read: ParsedCseItem[] = [];
    for (const fragment of this.#scanner.write(text)) {
      yield;
      read.push(yield* this.#parse(fragment));
    }
    return read;
  }
}
