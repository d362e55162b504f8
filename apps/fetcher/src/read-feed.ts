import { createHash } from 'node:crypto';
import { createFeedDecoder, DocumentBeginning, FeedError, FeedScanner } from '#xml';
import type { Dialect, FeedHead, Fragment, ScanLimits } from '#xml';

/** A feed that was read to its end: well-formed and within the limits. */
export interface ReadFeed {
  readonly head: FeedHead;
  /** SHA-256 of the body, base64url. */
  readonly digest: string;
}

/**
 * Reads a feed as it arrives, in bounded memory, and hands on its items in order; the next bytes are taken
 * when `take` has finished with them.
 * @throws FeedError for what is not a feed, not well-formed or beyond a limit, saying what the document is;
 *   and
 * whatever `body` and `take` throw
 */
export async function readFeed(
  { body, contentType }: { readonly body: AsyncIterable<Uint8Array>; readonly contentType?: string },
  { limits, dialect }: { readonly limits?: ScanLimits | undefined; readonly dialect: Dialect },
  take: (fragments: readonly Fragment[]) => Promise<void>,
): Promise<ReadFeed> {
  const hash = createHash('sha256');
  const decoder = createFeedDecoder(contentType);
  const scanner = new FeedScanner(dialect, { limits });
  const beginning = new DocumentBeginning();
  try {
    for await (const bytes of body) {
      hash.update(bytes);
      beginning.take(bytes);
      await take(scanner.write(decoder.write(bytes)));
    }
    await take(scanner.write(decoder.end()));
    return { head: scanner.end(), digest: hash.digest('base64url') };
  } catch (error) {
    throw error instanceof FeedError ? beginning.explain(error) : error;
  }
}
