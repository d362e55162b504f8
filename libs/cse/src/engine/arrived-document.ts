import type { CachedDocument } from './cached-document.ts';
import type { Arrival, Download } from './download.ts';

/**
 * What the cache is to hold of a download that arrived; undefined if it did not. Throws `Error` for an
 * arrival that the download did not ask for.
 */
export function documentOf(
  { url, isFeed, lastBuildDate }: Download,
  arrival: Arrival,
  cached: CachedDocument | undefined,
): CachedDocument | undefined {
  switch (arrival.kind) {
    case 'failed':
    case 'too-large':
      return undefined;
    case 'unchanged':
      if (cached === undefined || (isFeed && cached.feed === undefined))
        throw new Error(`${url} can't be unchanged: the cache does not hold it.`);
      // What is linked to as a file from now on is no feed of the tree any more.
      return { lastBuildDate, ...(isFeed && cached.feed !== undefined && { feed: cached.feed }) };
    default:
      if (isFeed !== (arrival.kind === 'feed'))
        throw new Error(`${url} is requested as a ${isFeed ? 'feed' : 'file'}, not as a ${arrival.kind}.`);
      return { lastBuildDate, ...(arrival.kind === 'feed' && { feed: arrival.feed }) };
  }
}
