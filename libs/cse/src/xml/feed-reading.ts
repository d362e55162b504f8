import { earliestDate } from '../engine/feed.ts';
import type { Feed, Item } from '../engine/feed.ts';
import { readDate, FeedError, formatNamespace, readContent } from '#xml';
import type { FeedHead } from '#xml';

/**
 * A feed of a tree, from its head and its items. Its date is the `lastBuildDate` of the channel, else its
 * `pubDate`, else 1601 (Algorithm Definitions); one that can't be read is as none. Throws `FeedError` (rule
 * `cse-format`) for a feed that is not RSS.
 */
export function readCseFeed(head: FeedHead, items: readonly Item[]): Feed {
  if (head.format !== 'rss') throw notRss();
  return { lastBuildDate: dateOf(head, 'lastBuildDate') ?? dateOf(head, 'pubDate') ?? earliestDate, items };
}

export function notRss(): FeedError {
  return new FeedError({
    rule: 'cse-format',
    section: 'CSE Content Sync Extensions Spec',
    message: 'Content Sync Extensions extend RSS 2.0; this feed is not RSS.',
    line: 1,
    column: 1,
  });
}

function dateOf({ format, children }: FeedHead, name: string): string | undefined {
  const child = children.find((child) => child.name === name && child.namespace === formatNamespace(format));
  return child === undefined ? undefined : readDate(readContent(child.xml).text)?.dateTime;
}
