import type { Feed } from '../../engine/feed.ts';
import type { Violation, FeedHead } from '#xml';
import { CseFeedReader } from '../feed-reader.ts';
import type { ParsedCseItem } from '../item-reading.ts';

const feedUrl = 'http://site.example/feeds/root.xml';

/** Reads a whole feed that stands at `http://site.example/feeds/root.xml`. */
export function readFeed(document: string): {
  feed: Feed;
  head: FeedHead;
  readings: readonly ParsedCseItem[];
  violations: readonly Violation[];
} {
  const reader = new CseFeedReader({ base: feedUrl });
  const readings = reader.write(new TextEncoder().encode(document));
  return { ...reader.end(), readings, violations: readings.flatMap(({ violations }) => violations) };
}

/** A feed with one item on line 2, with what is given inside it, and the attributes on it. */
export function feedOfItem(inside: string, attributes = ''): string {
  return (
    '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions">' +
    `<channel>\n<item${attributes}>${inside}</item></channel></rss>`
  );
}

/** Reads the first item of a feed. */
export function readingOf(document: string): ParsedCseItem {
  const [reading] = readFeed(document).readings;
  if (reading === undefined) throw new Error('There is no item.');
  return reading;
}

/** Reads the first item of a feed; what is found in it as `severity rule@line:column`. */
export function readItemOf(document: string) {
  const { item, violations } = readingOf(document);
  return {
    item,
    urls: item.links.map(({ url }) => url),
    violations: violations.map(({ severity, rule, line, column }) => `${severity} ${rule}@${line}:${column}`),
  };
}
