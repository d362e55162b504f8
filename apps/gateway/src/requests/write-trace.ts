import type { RequestHandler } from 'express';
import { traceWrites } from '#store';
import type { OpenStore } from '#store';
import { isSafe } from './safe-methods.ts';

/**
 * Runs each request as one piece of work: an outage in it is known to have changed nothing only if none of
 * its writes was sent. One that may change something begins once the store answers.
 */
export function traceRequests(store: Pick<OpenStore, 'ping'>): RequestHandler {
  return (request, _response, next) =>
    traceWrites(async () => {
      if (request.path.startsWith('/v1/') && !isSafe(request.method)) await store.ping();
      next();
    });
}
