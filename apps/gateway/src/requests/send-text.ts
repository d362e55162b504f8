import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayPorts } from '../gateway-ports.ts';
import { paidBy } from '../quota/count-request.ts';
import { ClientGoneError, ClientWriter } from './client-writer.ts';
import { contentCoding } from './content-coding.ts';
import type { ContentCoding } from './content-coding.ts';
import { pathIn } from './target.ts';
import type { SharedText } from '../texts/shared-text.ts';

const logger = new Logger('sendText');

/**
 * Sends a text that is read only as fast as the client reads, compressed as it likes best, and read no
 * further once it has gone away or stalled. `Content-Type` and `Vary` are the caller's. Throws `ProblemError`
 * 503 or 429 if too many are sent already.
 */
export async function sendText(
  { configuration, downloads }: Pick<GatewayPorts, 'configuration' | 'downloads'>,
  text: SharedText,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // For as long as a client reads, gzip takes a quarter of a megabyte, Brotli a whole one.
  const coding = contentCoding(request, ['gzip']);
  if (request.method === 'HEAD') {
    if (coding) response.setHeader('Content-Encoding', coding.name);
    return void response.end();
  }
  await downloads.run(async () => {
    if (coding) response.setHeader('Content-Encoding', coding.name);
    await sendBytes(
      coding ? compressed(text.read(), coding) : text.read(),
      configuration.GATEWAY_STALL_SECONDS,
      request,
      response,
    );
  }, paidBy(request));
}

/**
 * Returns the bytes of a text, compressed as given; undefined, and reads no further, once they are more than
 * `limit`. Throws what the text throws.
 */
export async function collectText(
  text: SharedText,
  coding: ContentCoding | undefined,
  limit: number,
): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of coding ? compressed(text.read(), coding) : text.read()) {
    length += piece.length;
    if (length > limit) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * Sends bytes that are compressed as given. `Content-Type` and `Vary` are the caller's. Throws `ProblemError`
 * 503 or 429 if too many are sent already.
 */
export async function sendBuffer(
  { configuration, downloads }: Pick<GatewayPorts, 'configuration' | 'downloads'>,
  bytes: Buffer,
  coding: ContentCoding | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (coding) response.setHeader('Content-Encoding', coding.name);
  response.setHeader('Content-Length', bytes.length);
  const send = () => sendBytes([bytes], configuration.GATEWAY_STALL_SECONDS, request, response);
  await downloads.run(send, paidBy(request));
}

/**
 * Sends bytes as fast as the client reads them; reads no more of them once it has gone away or stalled.
 * Throws what the bytes throw.
 */
export async function sendBytes(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  stallSeconds: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const client = new ClientWriter(response, stallSeconds);
  try {
    for await (const piece of pieces) await client.write(piece);
    response.end();
  } catch (error) {
    if (!(error instanceof ClientGoneError)) throw error;
    response.destroy();
    logger.debug(`${pathIn(request)}: ${error.message}`);
  }
}

async function* compressed(
  pieces: AsyncIterable<Uint8Array>,
  coding: ContentCoding,
): AsyncGenerator<Uint8Array, void, undefined> {
  const coder = coding.create();
  // What fails in it ends the loop below with the same error.
  pipeline(pieces, coder).catch(() => undefined);
  for await (const piece of coder) yield piece as Uint8Array;
}
