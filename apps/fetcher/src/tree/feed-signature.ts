import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Feed } from '#cse';
import type { CachedCopy } from '#core';

/** How many links are taken in one go: milliseconds of work. */
const step = 2000;

/**
 * What the items of a feed are in step with once they are brought in step with its copy: two signatures are
 * the same if nothing that an item of the feed is made of has changed. In hexadecimal.
 * @param root the URL of the root of the tree: feeds are known by another id in the tree of another root
 * @param copyOf what the cache holds of a link
 */
export async function feedSignature(
  root: string,
  copy: CachedCopy,
  feed: Feed,
  copyOf: (url: string) => CachedCopy | undefined,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([root, copy.digest, copy.base, copy.type]));
  let taken = 0;
  for (const { links } of feed.items) {
    taken += links.length;
    if (taken >= step) {
      await yieldToEventLoop();
      taken = 0;
    }
    for (const { url, nestedFeed } of links) {
      const linked = copyOf(url);
      hash.update(
        JSON.stringify(
          linked === undefined
            ? [url]
            : [url, nestedFeed ? linked.isFeed : linked.digest, linked.lastBuildDate],
        ),
      );
    }
  }
  return hash.digest('hex');
}
