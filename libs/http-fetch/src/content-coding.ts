import { Readable, pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { FetchError } from '#core';

/** What `Accept-Encoding` says. */
export const acceptedCodings = 'gzip, br, deflate';

const options = { chunkSize: 64 * 1024 };
const decoders = new Map<string, (firstByte: number) => Transform>([
  ['gzip', () => createGunzip(options)],
  ['x-gzip', () => createGunzip(options)],
  ['br', () => createBrotliDecompress(options)],
  // Some servers send bare deflate data where HTTP (RFC 9110, 8.4.1.2) asks for the zlib format, which begins
  // with an 8.
  ['deflate', (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options))],
]);

/** What codings there are (IANA) that are not undone here. */
const otherCodings: ReadonlySet<string> = new Set([
  'aes128gcm',
  'compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
  'x-compress',
  'zstd',
]);

/**
 * The one coding to undo, undefined for none. Takes the members of `Content-Encoding`, in lower case, and
 * ignores what is no coding, such as `identity`, `none` or `utf-8`. Throws `FetchError` (`content-coding`)
 * for one that is not undone here, and for several.
 */
export function codingOf(codings: readonly string[]): string | undefined {
  const applied = codings.filter((coding) => decoders.has(coding) || otherCodings.has(coding));
  const [coding] = applied;
  if (coding === undefined) return undefined;
  if (applied.length > 1 || !decoders.has(coding)) {
    throw new FetchError(
      'content-coding',
      `Content-Encoding "${applied.join(', ')}" was not requested; ${acceptedCodings} are understood`,
    );
  }
  return coding;
}

/**
 * The pieces of a body without its coding, decoded only as fast as they are read. Throws `FetchError`
 * (`content-coding`) if they are broken or end early.
 */
export async function* decode(
  coding: string,
  pieces: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const first = await pieces.next();
  const decoderOf = decoders.get(coding);
  if (first.done === true || decoderOf === undefined) return;
  const decoder = decoderOf(first.value[0] ?? 0);
  pipeline(Readable.from(startingWith(first.value, pieces), { highWaterMark: 1 }), decoder, () => {
    // Whatever goes wrong destroys the decoder and so reaches the loop below.
  });
  try {
    for await (const piece of decoder) yield piece as Uint8Array;
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError('content-coding', `the body is not valid ${coding}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
