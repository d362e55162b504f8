import { CseFeedReader } from '#feed-xml';
import type { CseItemReading } from '#feed-xml';
import type { CachedCopy, Store } from '#ports';

/** How many bytes are read in one go: milliseconds of work, after which others have their turn. */
const sliceLength = 65_536;

/** What was downloaded was within the limits, as they are set for the fetcher. */
const unlimited = { depth: Infinity, attributes: Infinity, itemLength: Infinity, headLength: Infinity, items: Infinity, itemLinks: Infinity };

/**
 * Reads the copy of a feed in slices; `take` gets the items as they come.
 * @returns the feed and its head
 * @throws ContentError for bytes that are missing or damaged, FeedError for what is no feed
 */
export async function readTreeFeed(
  contents: Store['contents'],
  collection: string,
  { digest, base, type }: CachedCopy,
  take: (readings: readonly CseItemReading[]) => Promise<void> | void,
): Promise<ReturnType<CseFeedReader['end']>> {
  const reader = new CseFeedReader({ base, limits: unlimited, ...(type !== undefined && { contentType: type }) });
  for await (const bytes of contents.read(collection, digest)) {
    for (let start = 0; start < bytes.length; start += sliceLength) {
      await take(reader.write(bytes.subarray(start, start + sliceLength)));
      await turnOfOthers();
    }
  }
  return reader.end();
}

function turnOfOthers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
