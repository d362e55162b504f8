import { earliestDate } from '#cse';
import type { Item } from '#cse';
import { FeedError, readCseFeed, readCseItem } from '#feed-xml';
import type { Breach, FeedHead, Fragment } from '#feed-xml';
import { breachAt } from './breach-at.ts';

const cseNamespace = 'http://schemas.microsoft.com/rss/2007/contentsyncextensions';

/** Only whether a link is a URL at all is asked, which does not depend on where the feed stands. */
const anywhere = 'http://feed.invalid/';

/** The items of a feed as one of a tree (Content Sync Extensions): only a feed with markup of it in an item is taken for one. */
export class CseExamination {
  readonly #breaches: Breach[] = [];
  /** Without their links, which nothing asks for. */
  readonly #items: Item[] = [];
  /** The line of each item by its identity. */
  readonly #lines = new Map<string, number>();
  #hasMarkup = false;

  examine(fragment: Fragment): void {
    this.#hasMarkup ||= hasMarkup(fragment.xml);
    const reading = readRssItem(fragment);
    if (reading === undefined) return;
    const { id } = reading.item;
    this.#items.push({ ...reading.item, links: [] });
    this.#breaches.push(...reading.breaches);
    const line = this.#lines.get(id);
    if (line === undefined) this.#lines.set(id, fragment.line);
    else this.#breaches.push(breachAt(fragment, 'cse-guid-unique', `the item is known by the same as that in line ${line}; a guid is unique within the tree`));
  }

  /** What was found, in no order; `head` is absent where the feed was not read to its end. */
  breaches(head?: FeedHead): readonly Breach[] {
    if (!this.#hasMarkup || this.#items.length === 0) return [];
    return head === undefined ? this.#breaches : [...this.#breaches, ...channelBreaches(head, this.#items)];
  }
}

/**
 * A reader of the tree does not look into a feed whose date is not newer; of a channel without a date nothing is said. A date later than that of each item is no breach: it is that of a
 * deletion (Propagating the lastBuildDate to parent feeds).
 */
function channelBreaches(head: FeedHead, items: readonly Item[]): readonly Breach[] {
  const { lastBuildDate } = readCseFeed(head, items);
  const latest = items.map((item) => item.lastBuildDate).reduce((one, other) => (one < other ? other : one));
  if (lastBuildDate >= latest || lastBuildDate === earliestDate) return [];
  const message = `The lastBuildDate of a channel is that of its newest item; this one is ${lastBuildDate}, and an item has ${latest}.`;
  return [{ rule: 'cse-channel-date', section: 'CSE Propagating the lastBuildDate to parent feeds', severity: 'warning', message, line: 1, column: 1 }];
}

function readRssItem(fragment: Fragment): ReturnType<typeof readCseItem> | undefined {
  try {
    return readCseItem(fragment, anywhere);
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
}

/** Whether an element or attribute of the namespace stands in an item; the declaration alone may come from the root of its feed. */
function hasMarkup(xml: string): boolean {
  if (!xml.includes(cseNamespace)) return false;
  const declarations = xml.matchAll(/xmlns(?::([^\s=]+))?\s*=\s*["']([^"']*)["']/g);
  return [...declarations].some(([, prefix, namespace]) => namespace === cseNamespace && (prefix === undefined || xml.includes(`<${prefix}:`) || xml.includes(` ${prefix}:`)));
}
