import type { Feed } from '#cse';
import type { Breach } from '../../breach.ts';
import { FeedScanner } from '../../scanner.ts';
import { readCseFeed } from '../feed-reading.ts';
import { readCseItem } from '../item-reading.ts';

const feedUrl = 'http://site.example/feeds/root.xml';

/** Reads a whole feed that stands at `http://site.example/feeds/root.xml`. */
export function readFeed(document: string): { feed: Feed; breaches: readonly Breach[] } {
  const scanner = new FeedScanner({ base: feedUrl });
  const fragments = scanner.write(document);
  const head = scanner.end();
  const readings = fragments.map((fragment) => readCseItem(fragment, feedUrl));
  return { feed: readCseFeed(head, readings.map(({ item }) => item)), breaches: readings.flatMap(({ breaches }) => breaches) };
}

/** A feed with one item on line 2, with what is given inside it, and the attributes on it. */
export function feedOfItem(inside: string, attributes = ''): string {
  return `<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"><channel>\n<item${attributes}>${inside}</item></channel></rss>`;
}

/** Reads the item of a feed with one; what is found in it as `severity rule@line:column`. */
export function readItemOf(document: string) {
  const { feed, breaches } = readFeed(document);
  const [item] = feed.items;
  if (item === undefined) throw new Error('There is no item.');
  return { item, urls: item.links.map(({ url }) => url), breaches: breaches.map(({ severity, rule, line, column }) => `${severity} ${rule}@${line}:${column}`) };
}
