import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const pattern = /^[A-Za-z0-9._~+/=:@-]{1,128}$/;

/**
 * `X-Request-Id` as a proxy or a client sent it, if it has 1 to 128 plain characters, else one of our own.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && pattern.test(given) ? given : randomUUID();
}
