import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Content } from '#core';
import { cacheControl } from '../access/published-feeds.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { paidBy } from '../quota/count-request.ts';
import { isUnmodified } from '../requests/preconditions.ts';
import { sendBytes } from '../requests/send-text.ts';
import { byteRange } from './byte-range.ts';
import type { ByteRange } from './byte-range.ts';

const logger = new Logger('sendFile');

/** A browser may show an image, a video or a text, and runs and loads nothing that is in one. */
const filePolicy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; sandbox";

/**
 * Responds with the bytes of a file, as fast as the client reads them: all, or the part that it asks for (RFC
 * 9110, 14). They are somebody else's, so no browser is to guess their type or to run what is in them.
 */
export async function sendFile(
  ports: GatewayPorts,
  content: Content,
  request: Request,
  response: Response,
): Promise<void> {
  const etag = `"${content.digest}"`;
  const lastModified = content.createdAt.toUTCString();
  response.set({
    ETag: etag,
    'Last-Modified': lastModified,
    'Cache-Control': cacheControl(response, 'public, max-age=31536000, immutable'),
    'Accept-Ranges': 'bytes',
    'Content-Security-Policy': filePolicy,
  });
  if (isUnmodified(request, etag, content.createdAt)) return void response.status(304).end();
  const range =
    request.method === 'GET' && isForThis(request.get('if-range'), etag, lastModified)
      ? byteRange(request.headers.range, content.length)
      : undefined;
  if (range === 'unsatisfiable')
    return void response
      .status(416)
      .set({ 'Content-Range': `bytes */${content.length}`, 'Content-Length': '0' })
      .end();
  if (range !== undefined)
    response.status(206).set('Content-Range', `bytes ${range.first}-${range.last}/${content.length}`);
  // Not by `set`, which adds a charset of its own.
  response.setHeader('Content-Type', mediaType(content.type));
  response.setHeader('Content-Length', range === undefined ? content.length : range.last - range.first + 1);
  if (request.method === 'HEAD') response.end();
  else await ports.downloads.run(() => send(ports, content, range, request, response), paidBy(request));
}

async function send(
  { store, configuration }: GatewayPorts,
  { collection, digest }: Content,
  range: ByteRange | undefined,
  request: Request,
  response: Response,
): Promise<void> {
  try {
    await sendBytes(
      store.contents.read(collection, digest, range),
      configuration.GATEWAY_STALL_SECONDS,
      request,
      response,
    );
  } catch (error) {
    response.destroy();
    logger.error(
      `${request.path} broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}

/** Whether a range is requested of what there is now (RFC 9110, 13.1.5). */
function isForThis(ifRange: string | undefined, etag: string, lastModified: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag || ifRange.trim() === lastModified;
}

/** The type as the file's server said it, if it can stand in a header. */
function mediaType(type: string | undefined): string {
  return type !== undefined && /^[\x21-\x7e][\x20-\x7e]*$/.test(type) ? type : 'application/octet-stream';
}
