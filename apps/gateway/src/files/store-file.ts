import type { Request } from 'express';
import type { CollectionKey, Content } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/**
 * Keeps the body of a request as a file, as it arrives; bytes that the collection has already are kept once.
 * Throws `ProblemError` 413 for more bytes than the setting allows, 415 for a compressed body, 400 for one
 * that breaks off; nothing is kept then.
 */
export async function storeFile(
  { store, clock, configuration }: GatewayPorts,
  collection: CollectionKey,
  request: Request,
): Promise<Content> {
  const {
    'content-type': type,
    'content-encoding': coding = 'identity',
    'content-length': length = '0',
  } = request.headers;
  if (coding.toLowerCase() !== 'identity')
    throw new ProblemError(
      415,
      'unsupported-content-coding',
      `A file is sent as it is to be kept, not compressed with ${coding}.`,
    );
  if (Number(length) > configuration.GATEWAY_FILE_BYTES) throw tooLarge(configuration.GATEWAY_FILE_BYTES);
  try {
    return await store.contents.write(collection, bodyOf(request, configuration.GATEWAY_FILE_BYTES), {
      ...(type !== undefined && { type }),
      at: clock.now(),
    });
  } finally {
    // What nobody reads would keep the connection from its answer.
    request.resume();
  }
}

/** The bytes of a request, not more than a limit. The request stays open, so that it can be answered. */
async function* bodyOf(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > limit) throw tooLarge(limit);
      yield piece;
    }
  } catch (error) {
    if (!request.complete && request.destroyed)
      throw new ProblemError(400, 'incomplete-body', 'The body broke off.');
    throw error;
  }
}

function tooLarge(limit: number): ProblemError {
  return new ProblemError(
    413,
    'file-too-large',
    `A file has at most ${limit} bytes (setting GATEWAY_FILE_BYTES).`,
  );
}
