import { createReadStream } from 'node:fs';
import { suggestFeedUrl } from '#messages';
import type { Io } from '../io.ts';
import { asFailure, causeOf, isTimeout } from '../cause.ts';
import { CommandError, exitCode } from '../command-error.ts';

const accept = 'application/atom+xml, application/rss+xml, text/x-opml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';

/** Limits on what is read from the network. */
export interface SourceLimits {
  /** Seconds that one feed may take from the request to its last byte. */
  readonly timeout: number;
  /** Bytes of one feed, decoded. */
  readonly maximumBytes: number;
}

/** The bytes of a document on their way. */
export interface SourceBytes {
  /** The value of the Content-Type header, where there is one. */
  readonly contentType?: string;
  /** Throws CommandError where reading fails. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Opens a feed: a file's path, an `http:` or `https:` URL, or `-` for stdin.
 * @throws CommandError (2) where a server can't be reached or answers anything but 200
 */
export async function openSource(source: string, io: Io, limits: SourceLimits): Promise<SourceBytes> {
  if (source === '-') return { chunks: told('stdin', io.stdin) };
  if (!/^https?:\/\//i.test(source)) return { chunks: told(source, createReadStream(source)) };
  const signal = AbortSignal.timeout(limits.timeout * 1000);
  const response = await fetch(source, { headers: { accept }, signal }).catch((error: unknown) => {
    throw unreadable(source, error, limits);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new CommandError(`cannot read ${source}: the server answered ${response.status} ${response.statusText}`.trimEnd(), exitCode.unreadable);
  }
  const contentType = response.headers.get('content-type') ?? undefined;
  return { contentType, chunks: told(source, limited(source, response.body ?? [], limits), limits) };
}

async function* limited(source: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, { maximumBytes }: SourceLimits): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const bytes of chunks) {
    total += bytes.length;
    if (total > maximumBytes)
      throw new CommandError(`cannot read ${source}: it has more than ${maximumBytes} bytes (--maximum-bytes)`, exitCode.unreadable);
    yield bytes;
  }
}

/** Says what failed to be read in the words of the person who asked for it. */
async function* told(source: string, chunks: AsyncIterable<Uint8Array>, limits?: SourceLimits): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw unreadable(source, error, limits);
  }
}

function unreadable(source: string, error: unknown, limits?: SourceLimits): CommandError {
  if (error instanceof CommandError) return error;
  const reason = isTimeout(error) && limits ? `it took more than ${limits.timeout} seconds (--timeout)` : causeOf(error);
  return new CommandError(`cannot read ${source}: ${reason}${schemeHint(source, error)}`, exitCode.unreadable, { cause: error });
}

/** What is not a URL is read as a file: says so if there is none and the source looks like a URL without its scheme. */
function schemeHint(source: string, error: unknown): string {
  const suggestion = /[/:]|^www\./.test(source) ? suggestFeedUrl(source) : undefined;
  const isMissing = asFailure(error).code === 'ENOENT';
  return isMissing && suggestion !== undefined ? `; if it is a URL, it has no scheme: did you mean \`${suggestion}\`?` : '';
}
