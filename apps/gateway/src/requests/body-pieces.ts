import type { Request } from 'express';
import { ProblemError } from '../problems/problem-error.ts';

/**
 * The bytes of a request as they arrive. The request stays open, so that it can be answered. Throws what
 * `tooLarge` returns for more than `limit` bytes, and `ProblemError` 400 for a body that breaks off.
 */
export async function* bodyPieces(
  request: Request,
  limit: number,
  tooLarge: () => ProblemError,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > limit) throw tooLarge();
      yield piece;
    }
  } catch (error) {
    if (!request.complete && request.destroyed)
      throw new ProblemError(400, 'incomplete-body', 'The body broke off.');
    throw error;
  }
}
