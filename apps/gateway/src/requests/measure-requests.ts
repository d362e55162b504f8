import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestSeconds } from '#service';
import { pathIn } from './target.ts';

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures how long every response takes, but for streams of events, which end when their reader goes. A path
 * is that of its operation, and of a feed that is kept `/feeds`; what no operation has is `none`.
 */
export function measureRequests(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const begin = performance.now();
  response.once('close', () => {
    if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return;
    const { method: given = '' } = request;
    const method = methods.has(given) ? given : 'other';
    const status = `${Math.floor(response.statusCode / 100)}xx`;
    requestSeconds.observe({ method, path: pathOf(request), status }, (performance.now() - begin) / 1000);
  });
  next();
}

/**
 * The path of the operation that a request is for, with parameters in place of values; `/feeds` for a feed
 * that is kept, `none` if there is no operation.
 */
export function pathOf(request: IncomingMessage & { readonly route?: { readonly path?: unknown } }): string {
  const template = request.route?.path;
  if (typeof template === 'string') return template;
  return pathIn(request).startsWith('/feeds/') ? '/feeds' : 'none';
}
