import { STATUS_CODES } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { browserHeaders } from '../browsers/response-headers.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { problemBody } from '../problems/problem-body.ts';
import type { ConnectionTurns } from './connection-turns.ts';

/**
 * Has a server answer as the gateway does what Node would answer by itself: requests that are not HTTP or
 * have a header that is too large, and those that do not arrive in time. What is wrong with `Host` and
 * `Expect` is left to the handlers of requests.
 */
export function answerMalformedRequests(server: Server, turns: ConnectionTurns): void {
  const secured = new WeakSet<Socket>();
  server.on('secureConnection', (socket: Socket) => void secured.add(socket));
  Object.assign(server, { requireHostHeader: false });
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (...values: unknown[]) => server.emit('request', ...values));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    // After a failed handshake there is no one who could read it.
    const isUnsecured = server instanceof TlsServer && !secured.has(socket);
    if (code === 'ECONNRESET' || isUnsecured) socket.destroy();
    else turns.end(socket, (response) => refuse(socket, response, malformed(code)));
  });
}

/** Ends a connection with a problem, unless a response has begun. */
function refuse(socket: Socket, response: ServerResponse | undefined, problem: ProblemError): void {
  if (!socket.writable || response?.headersSent === true) return void socket.destroy();
  const head = Object.entries({ ...headersOf(problem), Connection: 'close' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head}\r\n${bodyOf(problem)}`,
    () => socket.destroy(),
  );
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
    ...Object.fromEntries(browserHeaders(false)),
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(bodyOf(problem)),
  };
}

function bodyOf(problem: ProblemError): string {
  return JSON.stringify(problemBody(problem));
}
