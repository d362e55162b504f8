import type { NextFunction, Request, Response } from 'express';
import { ProblemError } from '../problems/problem-error.ts';

/**
 * Sends a client that expects 100 (RFC 9110, 10.1.1) that status once its body is about to be read. If the
 * request is refused before, it gets the final status alone, and Node closes the connection.
 * @throws ProblemError 417 for any other expectation
 */
export function awaitContinue(request: Request, response: Response, next: NextFunction): void {
  const { expect } = request.headers;
  // HTTP/1.0 has no 100.
  if (expect === undefined || request.httpVersion !== '1.1') return next();
  if (expect.split(',').some((one) => one.trim().toLowerCase() !== '100-continue'))
    throw new ProblemError(
      417,
      'expectation-failed',
      'The only Expect is "100-continue" (RFC 9110, 10.1.1).',
      {},
      // Whether its body follows is not known.
      { Connection: 'close' },
    );
  const read = request._read.bind(request);
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read(size);
  };
  next();
}
