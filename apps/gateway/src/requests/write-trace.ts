import type { RequestHandler } from 'express';
import { traceWrites } from '#store';
import { isSafe } from './safe-methods.ts';

/**
 * Runs each request as one piece of work: an outage in it is known to have changed nothing only if none of
 * its writes was sent. One that may change something writes nothing before the store has answered.
 */
export const runAsWork: RequestHandler = (request, _response, next) =>
  traceWrites(next, request.path.startsWith('/v1/') && !isSafe(request.method));
