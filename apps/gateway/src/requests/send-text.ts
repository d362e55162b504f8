import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { contentCoding } from './content-coding.ts';

/** About how many characters are handed on at once. */
const pieceLength = 65_536;

const logger = new Logger('sendText');

/**
 * Answers with a text that is read only as fast as the client reads, compressed as it likes best, and read no further once it has
 * gone away. `Content-Type` and `Vary` are the caller's.
 */
export async function sendText(text: AsyncIterable<string>, request: Request, response: Response): Promise<void> {
  const coding = contentCoding(request);
  if (coding) response.set('Content-Encoding', coding.name);
  if (request.method === 'HEAD') return void response.end();
  try {
    await (coding ? pipeline(inPieces(text), coding.create(), response) : pipeline(inPieces(text), response));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    logger.debug(`a client went away while it read ${request.path}`);
  }
}

async function* inPieces(text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let piece = '';
  for await (const part of text) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
