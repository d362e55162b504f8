import type { Feed } from '#cse';
import { CseFeedReader, FeedError } from '#feed-xml';
import type { Breach } from '#feed-xml';

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
  const reader = new CseFeedReader({ base: url });
  for (const reading of reader.write(Buffer.from(text))) breaches.push(...reading.breaches);
  const { feed, head, breaches: together } = reader.end();
  breaches.push(...together, ...head.breaches);
  return feed;
}
