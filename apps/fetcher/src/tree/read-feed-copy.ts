import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { itemSize } from '#cse';
import type { Feed } from '#cse';
import { CseFeedReader } from '#feed-xml';
import type { FeedHead, ScanLimits } from '#feed-xml';
import type { CachedCopy, ContentStore } from '#ports';

/** How many bytes are read in one go: milliseconds of work. */
const slice = 32_768;

/** A feed has more items and links than its tree may still have. */
export class FeedTooLargeError extends Error {
  override readonly name = 'FeedTooLargeError';
}

/**
 * Reads a feed of a tree from its copy in the cache.
 * @param limits the defaults of `#feed-xml` where absent
 * @param linksLeft how large it may be, as `feedSize` of `#cse` counts it
 * @throws ContentError where bytes of the copy are missing; FeedError where it can't be read as a feed within the limits; FeedTooLargeError
 */
export async function readFeedCopy(
  contents: ContentStore,
  collection: string,
  copy: CachedCopy,
  limits: ScanLimits | undefined,
  linksLeft: number,
): Promise<{ readonly feed: Feed; readonly head: FeedHead; readonly size: number }> {
  const { base, digest, type: contentType } = copy;
  const reader = new CseFeedReader({ base, contentType, limits });
  let size = 0;
  for await (const bytes of contents.read(collection, digest)) {
    for (let start = 0; start < bytes.length; start += slice) {
      for (const { item } of reader.write(bytes.subarray(start, start + slice))) size += itemSize(item);
      if (size > linksLeft) throw new FeedTooLargeError();
      await turnOfOthers();
    }
  }
  return { ...reader.end(), size };
}
