import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const pattern = /^[A-Za-z0-9._~+/=:@-]{1,128}$/;

/**
 * Names a request in its response and in the log: `X-Request-Id` as a proxy or a client sent it, if it has 1
 * to 128 plain characters, else one of our own.
 */
export function nameRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  response.set('X-Request-Id', given !== undefined && pattern.test(given) ? given : randomUUID());
  next();
}
