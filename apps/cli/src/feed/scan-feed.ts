import { protocolOfDocument } from '#protocols';
import type { SharingProtocol } from '#protocol';
import { createFeedDecoder, DocumentBeginning, FeedError, FeedScanner } from '#xml';
import type { FeedHead, Fragment } from '#xml';
import type { SourceBytes } from './source.ts';

/**
 * How many characters of a document are looked at for its protocol: more than its root and its first
 * namespaces take.
 */
const beginningLength = 8192;

/**
 * Reads a feed as it arrives and hands on its items in order.
 * @param open called with the feed's protocol before the first item; returns what takes the items
 * @throws FeedError for what is not a feed, not well-formed or beyond a limit, saying what the document is;
 *   and whatever reading the bytes or `open` throws
 */
export async function scanFeed(
  bytes: SourceBytes,
  open: (protocol: SharingProtocol) => (fragment: Fragment) => void,
): Promise<FeedHead> {
  const beginning = new DocumentBeginning();
  try {
    return await scan(textsOf(bytes, beginning), open);
  } catch (error) {
    throw error instanceof FeedError ? beginning.explain(error) : error;
  }
}

async function scan(
  texts: AsyncGenerator<string, undefined>,
  open: Parameters<typeof scanFeed>[1],
): Promise<FeedHead> {
  const { value: beginning = '' } = await texts.next();
  const protocol = protocolOfDocument(beginning);
  const take = open(protocol);
  const scanner = new FeedScanner(protocol.dialect);
  scanner.write(beginning).forEach(take);
  for await (const text of texts) scanner.write(text).forEach(take);
  return scanner.end();
}

/** The text of a document in pieces, of which the first holds its beginning. */
async function* textsOf(
  { chunks, contentType }: SourceBytes,
  document: DocumentBeginning,
): AsyncGenerator<string, undefined> {
  const decoder = createFeedDecoder(contentType);
  let text = '';
  let isBeginning = true;
  for await (const bytes of chunks) {
    document.take(bytes);
    text += decoder.write(bytes);
    if (isBeginning && text.length < beginningLength) continue;
    isBeginning = false;
    yield text;
    text = '';
  }
  yield text + decoder.end();
}
