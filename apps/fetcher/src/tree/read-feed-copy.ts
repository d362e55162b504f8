import { itemSize } from '#cse';
import type { Feed } from '#cse';
import type { FeedHead, ScanLimits } from '#xml';
import { readTreeFeed } from '#items';
import type { CachedCopy, ContentStore } from '#core';

/** A feed has more items and links than its tree may still have. */
export class FeedTooLargeError extends Error {
  override readonly name = 'FeedTooLargeError';
}

/**
 * Reads a feed of a tree from its copy in the cache.
 * @param limits the defaults of `#xml` if absent
 * @param linksLeft how large it may be, as `feedSize` of `#cse` counts it
 * @throws ContentError if bytes of the copy are missing; FeedError if it can't be read as a feed
 *   within the limits; FeedTooLargeError
 */
export async function readFeedCopy(
  contents: ContentStore,
  collection: string,
  copy: CachedCopy,
  limits: ScanLimits | undefined,
  linksLeft: number,
): Promise<{ readonly feed: Feed; readonly head: FeedHead; readonly size: number }> {
  let size = 0;
  const read = await readTreeFeed(contents, collection, copy, limits, (readings) => {
    for (const { item } of readings) size += itemSize(item);
    if (size > linksLeft) throw new FeedTooLargeError();
  });
  return { ...read, size };
}
