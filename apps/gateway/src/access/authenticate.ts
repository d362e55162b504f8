import type { RequestHandler } from 'express';
import { isSafe } from '../requests/safe-methods.ts';
import { checkPermission } from './check-demand.ts';
import type { Authentication } from './authentication.ts';
import { isOpen } from './declared-operations.ts';
import { setPrincipal } from './principal.ts';
import type { OpenResponses } from './open-responses.ts';

/**
 * Finds out who sends a request. One that may change something and says nothing of its sender is refused
 * here, before its body is read, unless its operation is open to anyone.
 * @returns a handler that throws `ProblemError` 401
 */
export function authenticate(authentication: Authentication, open: OpenResponses): RequestHandler {
  return async (request, response, next) => {
    const principal = await authentication.identify(request.headers.authorization);
    if (principal !== undefined) {
      setPrincipal(request, principal);
      open.watch(principal, response);
    } else if (!isSafe(request.method) && !isOpen(request.method, request.path))
      checkPermission(principal, 'write', { scope: { some: true } });
    next();
  };
}
