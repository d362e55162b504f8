import { createFeedDecoder, FeedScanner } from '#feed-xml';
import type { FeedHead, Fragment } from '#feed-xml';
import type { SourceBytes } from './source.ts';

/**
 * Reads a feed as it arrives and hands on its items in order.
 * @throws FeedError where the document is not a feed, not well-formed or beyond a limit, and whatever reading the bytes throws
 */
export async function scanFeed({ chunks, contentType }: SourceBytes, take: (fragment: Fragment) => void): Promise<FeedHead> {
  const decoder = createFeedDecoder(contentType);
  const scanner = new FeedScanner();
  for await (const bytes of chunks) scanner.write(decoder.write(bytes)).forEach(take);
  scanner.write(decoder.end()).forEach(take);
  return scanner.end();
}
