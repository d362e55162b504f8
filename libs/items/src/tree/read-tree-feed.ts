import { CseFeedReader } from '#cse';
import type { ParsedCseItem } from '#cse';
import type { ScanLimits } from '#xml';
import type { CachedCopy, Store } from '#core';

/** How many bytes are read in one go: milliseconds of work, after which others have their turn. */
const sliceLength = 32_768;

/**
 * Reads a feed of a tree from its copy in the cache, in slices; `take` gets the items as they come.
 * @param limits the defaults of `#xml` if absent
 * @returns the feed and its head
 * @throws ContentError for bytes that are missing or damaged, FeedError for what is no feed within the
 *   limits, and what `take` throws
 */
export async function readTreeFeed(
  contents: Store['contents'],
  collection: string,
  { digest, base, type: contentType }: CachedCopy,
  limits: Partial<ScanLimits> | undefined,
  take: (parsedItems: readonly ParsedCseItem[]) => Promise<void> | void,
): Promise<ReturnType<CseFeedReader['end']>> {
  const reader = new CseFeedReader({ base, limits, contentType });
  for await (const bytes of contents.read(collection, digest)) {
    for (let start = 0; start < bytes.length; start += sliceLength) {
      await take(reader.write(bytes.subarray(start, start + sliceLength)));
      await yieldToEventLoop();
    }
  }
  return reader.end();
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
