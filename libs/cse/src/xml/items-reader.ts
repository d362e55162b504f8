import { finish } from '#core';
import type { Steps } from '#core';
import { earliestDate } from '../engine/feed.ts';
import type { Feed, Item } from '../engine/feed.ts';
import type { Violation, FeedHead, Fragment, ScanLimits } from '#xml';
import { readCseFeed } from './feed-reading.ts';
import { readCseItem } from './item-reading.ts';
import type { ParsedCseItem } from './item-reading.ts';
import { cseRules } from './rule.ts';

/**
 * Reads the items of one feed of a tree (Content Sync Extensions), and checks what they must be together;
 * keeps of them what a walk needs.
 */
export class CseItemsReader {
  readonly #base: string;
  readonly #limits: ScanLimits | undefined;
  readonly #items: Item[] = [];
  /** The line of the first item of each identity. */
  readonly #lines = new Map<string, number>();

  /**
   * @param base the absolute address that relative URLs are relative to
   * @param limits of one item; the defaults if absent
   */
  constructor(base: string, limits?: ScanLimits) {
    this.#base = base;
    this.#limits = limits;
  }

  /**
   * Reads the next item. Throws `FeedError` (rule `cse-format`) for one that is not RSS, and for one beyond a
   * limit.
   */
  read(fragment: Fragment): ParsedCseItem {
    return finish(this.readSteps(fragment));
  }

  /** Does what `read` does, in steps. */
  *readSteps(fragment: Fragment): Steps<ParsedCseItem> {
    return this.take(yield* readCseItem(fragment, this.#base, this.#limits));
  }

  /** Takes the next item, which was read before; returns it with what it breaks beside the others. */
  take(parsed: ParsedCseItem): ParsedCseItem {
    const id = copyOf(parsed.item.id);
    this.#items.push({ ...parsed.item, id });
    const line = this.#lines.get(id);
    if (line === undefined) {
      this.#lines.set(id, parsed.line);
      return parsed;
    }
    const message = `The item has the identity of the one in line ${line}; a guid is unique within the tree.`;
    const violation = {
      rule: 'cse-guid-unique',
      ...cseRules['cse-guid-unique'],
      message,
      line: parsed.line,
      column: parsed.column,
    };
    return { ...parsed, violations: [...parsed.violations, violation] };
  }

  /**
   * Ends the feed: what it is in a tree, with all its items, and what its head breaks with regard to them.
   * Throws `FeedError` as `read` does.
   */
  end(head: FeedHead): { readonly feed: Feed; readonly violations: readonly Violation[] } {
    const feed = readCseFeed(head, this.#items);
    return { feed, violations: channelViolations(feed) };
  }
}

/**
 * A later date than that of each item is no violation: it is that of a deletion. Nor is none, which the
 * specification reads as 1601.
 */
function channelViolations({ lastBuildDate, items }: Feed): readonly Violation[] {
  let newest = earliestDate;
  for (const item of items) if (item.lastBuildDate > newest) newest = item.lastBuildDate;
  if (lastBuildDate === earliestDate || lastBuildDate >= newest) return [];
  const message =
    'The lastBuildDate of a channel is that of its newest item; ' +
    `this one is ${lastBuildDate}, and an item has ${newest}.`;
  return [{ rule: 'cse-channel-date', ...cseRules['cse-channel-date'], message, line: 1, column: 1 }];
}

/** The same text in memory of its own: a slice keeps all of the text that it was cut from. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
