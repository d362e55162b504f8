import { createHash } from 'node:crypto';
import { createFeedDecoder, FeedScanner } from '#feed-xml';
import type { Dialect, FeedHead, Fragment, ScanLimits } from '#feed-xml';

/** A feed that was read to its end: well-formed and within the limits. */
export interface ReadFeed {
  readonly head: FeedHead;
  /** SHA-256 of the body, base64url. */
  readonly digest: string;
}

/**
 * Reads a feed as it arrives, in bounded memory, and hands on its items in order; the next bytes are taken when `take` has
 * finished with them.
 * @throws FeedError where the document is not a feed, not well-formed or beyond a limit; and whatever `body` and `take` throw
 */
export async function readFeed(
  { body, contentType }: { readonly body: AsyncIterable<Uint8Array>; readonly contentType?: string },
  { limits, dialect }: { readonly limits?: ScanLimits | undefined; readonly dialect: Dialect },
  take: (fragments: readonly Fragment[]) => Promise<void>,
): Promise<ReadFeed> {
  const hash = createHash('sha256');
  const decoder = createFeedDecoder(contentType);
  const scanner = new FeedScanner({ limits, dialect });
  for await (const bytes of body) {
    hash.update(bytes);
    await take(scanner.write(decoder.write(bytes)));
  }
  await take(scanner.write(decoder.end()));
  return { head: scanner.end(), digest: hash.digest('base64url') };
}
