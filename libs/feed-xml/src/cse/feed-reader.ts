import type { Feed, Item } from '#cse';
import { createFeedDecoder } from '../decoder.ts';
import type { FeedDecoder } from '../decoder.ts';
import type { FeedHead } from '../feed.ts';
import type { ScanLimits } from '../scan-limits.ts';
import { FeedScanner } from '../scanner.ts';
import { readCseFeed } from './feed-reading.ts';
import { readCseItem } from './item-reading.ts';
import type { CseItemReading } from './item-reading.ts';
import { cseRules } from './rule.ts';

/**
 * Reads a feed of a tree (Content Sync Extensions) while its bytes arrive; of the items that it has answered it keeps what a walk needs.
 * Both methods throw `FeedError` for what is not RSS, not well-formed or beyond a limit; the reader is spent then.
 */
export class CseFeedReader {
  readonly #base: string;
  readonly #decoder: FeedDecoder;
  readonly #scanner: FeedScanner;
  readonly #items: Item[] = [];
  /** The line of the first item of each identity. */
  readonly #lines = new Map<string, number>();

  /**
   * @param options `base` is the absolute address that the feed came from, after redirects: what relative URLs in it are relative to;
   * `contentType` the media type with its parameters, as the server sent it
   */
  constructor(options: { readonly base: string; readonly contentType?: string; readonly limits?: Partial<ScanLimits> }) {
    const { base, contentType, limits } = options;
    this.#base = base;
    this.#decoder = createFeedDecoder(contentType);
    this.#scanner = new FeedScanner({ limits });
  }

  /** Takes the next bytes; answers the items that they complete. */
  write(bytes: Uint8Array): readonly CseItemReading[] {
    return this.#read(this.#decoder.write(bytes));
  }

  /** Ends the feed; answers what it is in a tree, with all its items, and its head. */
  end(): { readonly feed: Feed; readonly head: FeedHead } {
    // No item can end here: the last character of one is never held back.
    this.#read(this.#decoder.end());
    const head = this.#scanner.end();
    return { feed: readCseFeed(head, this.#items), head };
  }

  #read(text: string): readonly CseItemReading[] {
    return this.#scanner.write(text).map((fragment) => {
      const reading = readCseItem(fragment, this.#base);
      const id = copyOf(reading.item.id);
      this.#items.push({ ...reading.item, id });
      const line = this.#lines.get(id);
      if (line === undefined) {
        this.#lines.set(id, fragment.line);
        return reading;
      }
      const message = `The item is known by the same as that in line ${line}; a guid is unique within the tree.`;
      const breach = { rule: 'cse-guid-unique', ...cseRules['cse-guid-unique'], message, line: fragment.line, column: fragment.column };
      return { ...reading, breaches: [...reading.breaches, breach] };
    });
  }
}

/** The same text in memory of its own: a slice keeps all of the text that it was cut from. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
