import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { browserHeaders } from '../browsers/response-headers.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { problemBody } from '../problems/problem-body.ts';

/**
 * Has a server answer as the gateway does what Node would answer by itself: requests that are not HTTP, that
 * have no `Host`, a header that is too large or an `Expect` that nobody knows, and those that do not arrive
 * in time.
 */
export function answerMalformedRequests(server: Server): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  const secured = new WeakSet<Duplex>();
  server.on('secureConnection', (socket: Duplex) => void secured.add(socket));
  // Node would refuse it without our headers; the check of `Host` does it.
  Object.assign(server, { requireHostHeader: false });
  server.prependListener(
    'request',
    ({ socket }: IncomingMessage, response: ServerResponse) => void responses.set(socket, response),
  );
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const problem = new ProblemError(
      417,
      'expectation-failed',
      'The only Expect is "100-continue" (RFC 9110, 10.1.1).',
    );
    response.writeHead(417, headersOf(problem)).end(bodyOf(problem, request.url));
  });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Duplex) => {
    const response = responses.get(socket);
    const isAnswering = response !== undefined && response.headersSent && !response.writableFinished;
    // After a failed handshake there is no one who could read it.
    const isUnsecured = server instanceof TlsServer && !secured.has(socket);
    if (code === 'ECONNRESET' || !socket.writable || isAnswering || isUnsecured) {
      socket.destroy();
      return;
    }
    const problem = malformed(code);
    const head = Object.entries({ ...headersOf(problem), Connection: 'close' })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    socket.end(
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head}\r\n${bodyOf(problem)}`,
      () => socket.destroy(),
    );
  });
}

function malformed(code: string | undefined): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ProblemError(431, 'header-too-large', 'The header of this request is too large.');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new ProblemError(413, 'body-too-large', 'The chunk extensions of this body are too large.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ProblemError(408, 'request-timeout', 'The request did not arrive in time.');
  return new ProblemError(
    400,
    'malformed-request',
    `This is not a request of HTTP/1.1${code === undefined ? '' : ` (${code})`}.`,
  );
}

function headersOf(problem: ProblemError): Record<string, string | number> {
  return {
    ...browserHeaders,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(bodyOf(problem)),
  };
}

function bodyOf(problem: ProblemError, instance?: string): string {
  return JSON.stringify(problemBody(problem, instance));
}
