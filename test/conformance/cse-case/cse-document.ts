import { FeedError, FeedScanner, readCseFeed, readCseItem } from '#feed-xml';
import type { Breach } from '#feed-xml';
import type { Feed, Item } from '#cse';

/** Reads a feed of a tree that stands at this address. Throws `FeedError` where it is none. */
export function readCseDocument(text: string, url: string): Feed {
  return readWithBreaches(text, url, []);
}

/** Every breach in a feed of a tree, also the one that ends it. */
export function breachesIn(text: string, url: string): readonly Breach[] {
  const breaches: Breach[] = [];
  try {
    readWithBreaches(text, url, breaches);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    breaches.push(error.breach);
  }
  return breaches;
}

function readWithBreaches(text: string, url: string, breaches: Breach[]): Feed {
  const scanner = new FeedScanner();
  const items: Item[] = [];
  for (const piece of [text, '']) {
    for (const fragment of scanner.write(piece)) {
      const reading = readCseItem(fragment, url);
      items.push(reading.item);
      breaches.push(...reading.breaches);
    }
  }
  const head = scanner.end();
  breaches.push(...head.breaches);
  return readCseFeed(head, items);
}
