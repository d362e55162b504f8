import type { NextFunction, Request, Response } from 'express';
import { ProblemError } from '../problems/problem-error.ts';
import { isSafe } from './safe-methods.ts';

/**
 * Why a path may not be the one that was meant: it has an empty segment or a dot segment. A client that
 * resolves `/items/..` (RFC 3986, 5.2.4) requests the path of the collection with a slash at its end.
 * @param path of a request, percent-encoded
 * @returns undefined for a path that can be trusted
 */
function rewrittenPathFault(path: string): string | undefined {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') return 'it ends in a slash';
  if (segments.includes('')) return 'it has an empty segment';
  const isDots = (segment: string): boolean => /^(\.|%2e){1,2}$/i.test(segment);
  return segments.some(isDots) ? 'it has a segment of dots' : undefined;
}

/**
 * Lets a request that may change something pass only with a path that no client has rewritten; else throws
 * `ProblemError` 404.
 */
export function refuseRewrittenPath(
  { method, path }: Request,
  _response: Response,
  next: NextFunction,
): void {
  const fault = isSafe(method) || path === '/' ? undefined : rewrittenPathFault(path);
  if (fault !== undefined) {
    throw new ProblemError(
      404,
      'rewritten-path',
      `${method} changes nothing at this path, because ${fault}: ` +
        'the client may have rewritten another one. Links in responses have paths that no client rewrites.',
    );
  }
  next();
}
