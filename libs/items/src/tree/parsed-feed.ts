import { CseFeedReader, CseItemsReader } from '#cse';
import type { ParsedCseItem } from '#cse';
import { DocumentBeginning, FeedError } from '#xml';
import type { FeedHead, ScanLimits } from '#xml';
import { ContentError, inSlices, Slices } from '#core';
import type { CachedCopy, CollectionKey, Content, ContentStore } from '#core';

/** One line of what a feed was parsed to, in JSON: first how it was parsed, then its items, then its head. */
type ParsedLine =
  | { readonly version: number; readonly limits?: Partial<ScanLimits> | undefined }
  | { readonly parsed: ParsedCseItem }
  | { readonly head: FeedHead };

/** Raised whenever a feed is parsed to something else than before. */
const version = 1;

/** How many bytes are read in one go: milliseconds of work, after which others have their turn. */
const sliceLength = 16_384;

/** What the cache keeps of a feed: its bytes, and the digest of what they were parsed to. */
interface KeptFeed {
  readonly content: Content;
  readonly parsed: string;
}

/**
 * Stores a feed of a tree as it arrives, and beside its bytes what they are parsed to, so that nobody parses
 * them again. Both are written at the same pace, so that memory stays bounded.
 * @param source where it came from, with its media type and the limits; see `CseFeedReader`
 * @throws FeedError for what is no feed within the limits, of which nothing is kept; ContentError as
 *   `ContentStore.write` does; what `body` throws
 */
export async function keepFeed(
  contents: ContentStore,
  collection: CollectionKey,
  body: AsyncIterable<Uint8Array>,
  source: Omit<ConstructorParameters<typeof CseFeedReader>[0], 'isForgetful'>,
  written: { readonly type?: string; readonly at: Date },
): Promise<KeptFeed> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const lines = writable.getWriter();
  const otherFailed = new Error('the other of the two writes failed');
  const put = (line: ParsedLine): Promise<void> =>
    lines.write(Buffer.from(`${JSON.stringify(line)}\n`)).catch(() => {
      throw otherFailed;
    });
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    const reader = new CseFeedReader({ ...source, isForgetful: true });
    const beginning = new DocumentBeginning();
    const slices = new Slices();
    try {
      await put({ version, limits: source.limits });
      for await (const piece of body) {
        beginning.take(piece);
        for (const part of partsOf(piece)) {
          for (const parsed of await inSlices(reader.writeSteps(part))) await put({ parsed });
          await slices.rest();
        }
        yield piece;
      }
      await put({ head: reader.end().head });
      await lines.close();
    } catch (error) {
      throw error instanceof FeedError ? beginning.explain(error) : error;
    }
  };
  const writeOr = async (stop: () => Promise<void>, ...details: Parameters<ContentStore['write']>) => {
    try {
      return await contents.write(...details);
    } catch (error) {
      // The other write waits for this one.
      await Promise.allSettled([stop()]);
      throw error;
    }
  };
  const writes = await Promise.allSettled([
    writeOr(() => lines.abort(otherFailed), collection, bytes(), written),
    writeOr(() => readable.cancel(), collection, readable, { at: written.at }),
  ]);
  const failures = writes.flatMap((write) => (write.status === 'rejected' ? [write.reason as unknown] : []));
  if (failures.length > 0) throw failures.find((reason) => reason !== otherFailed) ?? otherFailed;
  const [content, parsed] = writes.flatMap((write) => (write.status === 'fulfilled' ? [write.value] : []));
  return { content: content as Content, parsed: (parsed as Content).digest };
}

/**
 * Reads what a feed of a tree was parsed to when it was downloaded, in slices; `take` gets the items as they
 * come.
 * @param limits if they are given, those that it must have been parsed with
 * @returns the feed and its head
 * @throws ContentError for a feed that is missing, damaged or parsed in another way, and what `take` throws
 */
export async function readParsedFeed(
  contents: ContentStore,
  collection: CollectionKey,
  { digest, base, parsed }: CachedCopy,
  take: (items: readonly ParsedCseItem[]) => Promise<void> | void,
  parsedWith?: { readonly limits: Partial<ScanLimits> | undefined },
): Promise<ReturnType<CseFeedReader['end']>> {
  if (parsed === undefined) throw new ContentError('missing', collection, digest);
  const damaged = (): ContentError => new ContentError('damaged', collection, parsed);
  const items = new CseItemsReader(base);
  let head: FeedHead | undefined;
  let isKnown = false;
  for await (const lines of linesOf(contents.read(collection, parsed))) {
    const found: ParsedCseItem[] = [];
    for (const text of lines) {
      const line = parseLine(text);
      if (line === undefined) throw damaged();
      if ('version' in line)
        isKnown =
          line.version === version &&
          (parsedWith === undefined || JSON.stringify(line.limits) === JSON.stringify(parsedWith.limits));
      if (!isKnown) throw damaged();
      if ('parsed' in line) found.push(items.take(line.parsed));
      if ('head' in line) head = line.head;
    }
    await take(found);
    await yieldToEventLoop();
  }
  if (head === undefined) throw damaged();
  return { head, ...items.end(head) };
}

/** The lines that are whole, some at a time. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const bytes of body) {
    for (const part of partsOf(bytes)) {
      const [first = '', ...others] = decoder.decode(part, { stream: true }).split('\n');
      rest.push(first);
      if (others.length === 0) continue;
      yield [rest.join(''), ...others.slice(0, -1)];
      rest = others.slice(-1);
    }
  }
}

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += sliceLength)
    yield bytes.subarray(start, start + sliceLength);
}

function parseLine(text: string): ParsedLine | undefined {
  try {
    return JSON.parse(text) as ParsedLine;
  } catch {
    return undefined;
  }
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
