import type { Request } from 'express';
import type { CollectionKey, Content } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { bodyPieces } from '../requests/body-pieces.ts';

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
  const limit = configuration.GATEWAY_FILE_BYTES;
  if (Number(length) > limit) throw tooLarge(limit);
  try {
    return await store.contents.write(
      collection,
      bodyPieces(request, limit, () => tooLarge(limit)),
      {
        ...(type !== undefined && { type }),
        at: clock.now(),
      },
    );
  } finally {
    // What nobody reads would keep the connection from its answer.
    request.resume();
  }
}

function tooLarge(limit: number): ProblemError {
  return new ProblemError(
    413,
    'file-too-large',
    `A file has at most ${limit} bytes (setting GATEWAY_FILE_BYTES).`,
  );
}
