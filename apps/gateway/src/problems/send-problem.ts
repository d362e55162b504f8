import type { IncomingMessage, ServerResponse } from 'node:http';
import { shownPath } from '../requests/shown-path.ts';
import { problemBody } from './problem-body.ts';
import type { ProblemError } from './problem-error.ts';

/** What a handler may have said of the response that was meant. */
const representationHeaders = [
  'ETag',
  'Last-Modified',
  'Cache-Control',
  'Accept-Ranges',
  'Content-Encoding',
  'Content-Disposition',
  'Content-Length',
  'Content-Location',
  'Content-Range',
  'Link',
  'Location',
];

/**
 * Responds with a problem (RFC 9457) in place of the response that was meant, of which nothing was sent.
 * @param retrySeconds after which clients are to try again what is not available
 */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: ProblemError,
  retrySeconds: number,
): void {
  // What was said of the response that was meant does not hold for this one.
  for (const name of representationHeaders) response.removeHeader(name);
  const body = JSON.stringify(problemBody(problem, shownPath(targetOf(request))));
  const headers = {
    ...(problem.status === 503 && { 'Retry-After': `${retrySeconds}`, 'Cache-Control': 'no-store' }),
    ...problem.headers,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  };
  // Without what Express does besides, which costs more than all else here: an ETag that nobody needs.
  response.writeHead(problem.status, headers).end(body);
}

/** The target of a request as it was sent, without the key of a secret address. */
export function targetOf(request: IncomingMessage & { readonly originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? '';
}
