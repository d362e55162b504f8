import { createHash } from 'node:crypto';
import { createFeedDecoder, DocumentBeginning, FeedError, FeedScanner } from '#xml';
import type { Dialect, FeedHead, Fragment, HeadPlaces, ScanLimits } from '#xml';
import type { MendedFeed } from '../mend-feed.ts';

/**
 * That a document ends where a well-formed one goes on: it may have been cut off on its way, which is not
 * noticed if there is no length to compare it with.
 */
export class CutOffError extends FeedError {}

/** A feed that was read to its end: well-formed, or mended, and within the limits. */
export interface ReadFeed {
  readonly head: FeedHead;
  /** Where the head stands in what was read: the document, or the mended one. */
  readonly places: HeadPlaces;
  /** SHA-256 of the body, base64url. */
  readonly digest: string;
  /** Whether it was mended because all that it lacks is an end: it may have been cut off on its way. */
  readonly isCutOff: boolean;
}

/** A document as it arrives. */
export interface ArrivingDocument {
  readonly body: AsyncIterable<Uint8Array>;
  readonly contentType?: string;
  readonly url: string;
}

/** How a plain feed may be read that is not well-formed, or in a format that no synchronised feed has. */
export interface Tolerance {
  /** How many bytes such a feed may have. */
  readonly limit: number;
  /**
   * Mends such a feed.
   * @param error what is wrong with it
   * @throws FeedError, the given one, for what is no feed
   */
  mend(bytes: Uint8Array, document: ArrivingDocument, error: FeedError): Promise<MendedFeed>;
  /** Whether the document has shown that it is synchronised. */
  isSynchronised(): boolean;
  /** Whether, read by the rules, it has had items that can be distinguished. */
  hasItems(): boolean;
  /** Called before its items are taken once more. */
  restart(): void;
}

interface ReadingSettings {
  readonly limits?: ScanLimits | undefined;
  readonly dialect: Dialect;
  /** Absent if every feed is read by the rules or not at all. */
  readonly tolerance?: Tolerance | undefined;
}

/**
 * Reads a feed as it arrives, in bounded memory, and hands on its items in order; the next bytes are taken
 * when `take` has finished with them. With a tolerance, a document that is no feed by the rules is mended
 * (`mendFeed`) and its items are taken from the beginning; the head says what was mended.
 * @throws FeedError for what is not a feed, not well-formed or beyond a limit, saying what the document is
 *   (CutOffError if all that it lacks is an end); and whatever `body` and `take` throw
 */
export async function readFeed(
  document: ArrivingDocument,
  { limits, dialect, tolerance }: ReadingSettings,
  take: (fragments: readonly Fragment[]) => Promise<void>,
): Promise<ReadFeed> {
  const arriving = new ArrivingBytes(document.body, tolerance?.limit ?? 0);
  const decoder = createFeedDecoder(document.contentType);
  const scanner = new FeedScanner(dialect, { limits });
  const beginning = new DocumentBeginning();
  let head: FeedHead;
  try {
    for (let bytes = await arriving.next(); bytes !== undefined; bytes = await arriving.next()) {
      beginning.take(bytes);
      for (const part of partsOf(bytes)) await take(scanner.write(decoder.write(part)));
      if (tolerance?.isSynchronised()) arriving.forget();
    }
    await take(scanner.write(atEnd(() => decoder.end())));
    head = atEnd(() => scanner.end());
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    const explained = explain(error, beginning);
    if (tolerance === undefined || tolerance.isSynchronised() || !isMendable(error)) throw explained;
    return readMended(document, arriving, { limits, dialect, tolerance }, take, explained);
  }
  const { places } = scanner;
  const read = { head, places, digest: arriving.digest(), isCutOff: false };
  return tolerance === undefined || tolerance.isSynchronised() || head.sharing || tolerance.hasItems()
    ? read
    : readOtherwise(document, arriving, { limits, dialect, tolerance }, take, read);
}

/** Does a step for which all of a document has arrived; what fails here alone has met its end. */
function atEnd<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw error instanceof FeedError ? new CutOffError(error.violation, { cause: error }) : error;
  }
}

function explain(error: FeedError, beginning: DocumentBeginning): FeedError {
  const explained = beginning.explain(error);
  return error instanceof CutOffError ? new CutOffError(explained.violation, { cause: error }) : explained;
}

/** What is wrong with a whole document, not with what it says. */
const mendableRules = /^(?:feed-root|rss-channel|encoding-.*|xml-.*)$/;

function isMendable({ violation }: FeedError): boolean {
  return mendableRules.test(violation.rule);
}

/** Reads a well-formed feed whose items may stand where the rules have none; if they don't, it has none. */
async function readOtherwise(
  document: ArrivingDocument,
  arriving: ArrivingBytes,
  settings: ReadingSettings & { readonly tolerance: Tolerance },
  take: (fragments: readonly Fragment[]) => Promise<void>,
  read: ReadFeed,
): Promise<ReadFeed> {
  try {
    return await readMended(document, arriving, settings, take, noItems);
  } catch (error) {
    if (error !== noItems) throw error;
    return read;
  }
}

const noItems = new FeedError({
  rule: 'feed-items',
  section: 'RSS 2.0, RFC 4287 4.1.1',
  message: 'The feed has no items where they belong.',
  line: 1,
  column: 1,
});

async function readMended(
  document: ArrivingDocument,
  arriving: ArrivingBytes,
  { limits, dialect, tolerance }: ReadingSettings & { readonly tolerance: Tolerance },
  take: (fragments: readonly Fragment[]) => Promise<void>,
  error: FeedError,
): Promise<ReadFeed> {
  const { pieces, mended, refused } = await tolerance.mend(await arriving.all(error), document, error);
  tolerance.restart();
  await take(refused);
  const decoder = createFeedDecoder(writtenType);
  const scanner = new FeedScanner(dialect, { limits });
  for (const bytes of pieces)
    for (const part of partsOf(bytes)) await take(scanner.write(decoder.write(part)));
  await take(scanner.write(decoder.end()));
  const head = scanner.end();
  return {
    head: { ...head, violations: [...mended, ...head.violations] },
    places: scanner.places,
    digest: arriving.digest(),
    isCutOff: error instanceof CutOffError,
  };
}

/** The type of a mended feed. */
const writtenType = 'text/xml; charset=utf-8';

/** How many bytes are read in one go: even what takes longest in them is read in some milliseconds. */
const partLength = 16_384;

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += partLength) yield bytes.subarray(at, at + partLength);
}

/** The bytes of a document, one piece after the other, and, as long as they may be needed, all of them. */
class ArrivingBytes {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #limit: number;
  readonly #hash = createHash('sha256');
  #kept: Uint8Array[] | undefined = [];
  #length = 0;

  /** @param limit how many are kept */
  constructor(body: AsyncIterable<Uint8Array>, limit: number) {
    this.#pieces = body[Symbol.asyncIterator]();
    this.#limit = limit;
  }

  async next(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#pieces.next();
    if (done === true) return undefined;
    this.#hash.update(value);
    this.#length += value.length;
    if (this.#length > this.#limit) this.forget();
    this.#kept?.push(value);
    return value;
  }

  /** They will not be needed any more. */
  forget(): void {
    this.#kept = undefined;
  }

  /** Reads to the end; throws `error` if not all of them were kept. */
  async all(error: FeedError): Promise<Uint8Array> {
    while (this.#kept !== undefined && (await this.next()) !== undefined);
    if (this.#kept !== undefined) return Buffer.concat(this.#kept);
    throw this.#length <= this.#limit
      ? error
      : new FeedError(
          {
            ...error.violation,
            message:
              `${error.violation.message} It is not mended, since it is longer than ${this.#limit} bytes ` +
              '(FETCH_ADOPTED_LENGTH).',
          },
          { cause: error },
        );
  }

  /** SHA-256 of what has arrived, base64url. */
  digest(): string {
    return this.#hash.copy().digest('base64url');
  }
}
