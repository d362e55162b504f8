import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Feed } from '#cse';
import { CseFeedReader } from '#feed-xml';
import type { FeedHead, ScanLimits } from '#feed-xml';
import type { CachedCopy, ContentStore } from '#ports';

/** How many bytes are read in one go: milliseconds of work. */
const slice = 32_768;

/**
 * Reads a feed of a tree from its copy in the cache.
 * @param limits the defaults of `#feed-xml` where absent
 * @throws ContentError where bytes of the copy are missing; FeedError where it can't be read as a feed within the limits
 */
export async function readFeedCopy(contents: ContentStore, collection: string, copy: CachedCopy, limits: ScanLimits | undefined): Promise<{ readonly feed: Feed; readonly head: FeedHead }> {
  const { base, digest, type: contentType } = copy;
  const reader = new CseFeedReader({ base, contentType, limits });
  for await (const bytes of contents.read(collection, digest)) {
    for (let start = 0; start < bytes.length; start += slice) {
      reader.write(bytes.subarray(start, start + slice));
      await turnOfOthers();
    }
  }
  return reader.end();
}
