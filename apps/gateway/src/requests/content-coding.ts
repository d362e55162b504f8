import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { BrotliCompress, Gzip } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import { request as expressRequest } from 'express';

/** How a feed is compressed. */
export interface ContentCoding {
  readonly name: 'br' | 'gzip';
  readonly create: () => BrotliCompress | Gzip;
}

const codings: readonly ContentCoding[] = [
  // Brotli's defaults are made for files that are compressed once: quality 11 takes long, and the window
  // takes megabytes for each response.
  {
    name: 'br',
    create: () =>
      createBrotliCompress({
        params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 16 },
      }),
  },
  { name: 'gzip', create: () => createGzip() },
];

/**
 * The coding that `Accept-Encoding` likes best (RFC 9110, 12.5.3); undefined for none.
 * @param among of these alone
 */
export function contentCoding(
  request: Pick<IncomingMessage, 'headers'>,
  among: readonly ContentCoding['name'][] = ['br', 'gzip'],
): ContentCoding | undefined {
  const name = expressRequest.acceptsEncodings.call(request, ...among, 'identity');
  return codings.find((coding) => coding.name === name);
}
