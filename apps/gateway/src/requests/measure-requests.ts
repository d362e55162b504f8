import type { NextFunction, Request, Response } from 'express';
import { requestSeconds } from '#service';

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures how long every response takes, but for streams of events, which end when their reader goes. A path
 * is that of its operation, and of a feed that is kept `/feeds`; what no operation has is `none`.
 */
export function measureRequests(request: Request, response: Response, next: NextFunction): void {
  const begin = performance.now();
  response.once('close', () => {
    if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return;
    const method = methods.has(request.method) ? request.method : 'other';
    const status = `${Math.floor(response.statusCode / 100)}xx`;
    requestSeconds.observe({ method, path: pathOf(request), status }, (performance.now() - begin) / 1000);
  });
  next();
}

/**
 * The path of the operation that a request is for, with parameters in place of values; `/feeds` for a feed
 * that is kept, `none` if there is no operation.
 */
export function pathOf({ route, path }: Request): string {
  const template = (route as { path?: unknown } | undefined)?.path;
  if (typeof template === 'string') return template;
  return path.startsWith('/feeds/') ? '/feeds' : 'none';
}
