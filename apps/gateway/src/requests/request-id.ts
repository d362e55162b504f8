import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

const pattern = /^[A-Za-z0-9._~+/=:@-]{1,128}$/;

/**
 * `X-Request-Id` as a proxy or a client sent it, if it has 1 to 128 plain characters, else one of our own.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && pattern.test(given) ? given : randomUUID();
}

/** Names a request in its response and in the log. */
export function nameRequest(request: Request, response: Response, next: NextFunction): void {
  response.set('X-Request-Id', requestIdOf(request));
  next();
}
