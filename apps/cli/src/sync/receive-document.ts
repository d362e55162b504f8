import { validatorsOf } from '#cse';
import type { Download, Feed, Failure } from '#cse';
import type { FetchResponse } from '#core';
import type { MirrorDocument } from './document.ts';
import { LimitError } from './failure.ts';
import type { FeedWarning } from './feed-violations.ts';
import { FeedReading } from './feed-reading.ts';
import { saveBody } from './save-body.ts';

export type OkResponse = FetchResponse & { readonly status: 'ok' };

/** A document that has been written to a file, and if it is a feed, read. */
interface ReceivedDocument {
  readonly content: Pick<MirrorDocument, 'length' | 'digest' | 'type' | 'etag' | 'lastModified'>;
  readonly feed?: Feed;
  readonly warnings: readonly FeedWarning[];
  readonly errors: readonly Failure[];
}

interface ReceiptLimits {
  /** Called with how many bytes have come; returns whether there may be more. */
  readonly take: (bytes: number) => boolean;
  /** How large a feed may be by now. */
  readonly linksLeft: () => number;
}

/**
 * Writes the body of a response to a file; one that is to be a feed is read on the way.
 * @throws FetchError, FeedError, FeedTooLargeError, LimitError (`limit-bytes`), or what the file system
 *   throws
 */
export async function receiveDocument(
  { url, isFeed }: Download,
  response: OkResponse,
  file: string,
  { take, linksLeft }: ReceiptLimits,
): Promise<ReceivedDocument> {
  const { contentType: type } = response;
  const reading = isFeed ? new FeedReading(url, response.url, type, linksLeft) : undefined;
  const saved = await saveBody(response.body, file, (piece) => {
    if (!take(piece.length))
      throw new LimitError('limit-bytes', 'It was broken off: no more may be downloaded', '--maximum-bytes');
    reading?.write(piece);
  });
  const feed = reading?.end();
  const content = {
    ...saved,
    ...(type !== undefined && { type }),
    ...validatorsOf(response),
  };
  return {
    content,
    ...(feed && { feed }),
    warnings: reading?.violations.warnings ?? [],
    errors: reading?.violations.errors ?? [],
  };
}
