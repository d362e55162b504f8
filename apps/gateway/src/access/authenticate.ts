import type { RequestHandler } from 'express';
import { isSafe } from '../requests/safe-methods.ts';
import { checkPermission } from './check-demand.ts';
import type { Authentication } from './authentication.ts';
import { isOpen } from './declared-operations.ts';
import { keyInAddress } from './secret-address.ts';
import { setPrincipal } from './principal.ts';
import type { OpenResponses } from './open-responses.ts';

/**
 * Finds out who sends a request. One that may change something and says nothing of its sender is refused
 * here, before its body is read, unless its operation is open to anyone.
 * @returns a handler that throws `ProblemError` 401
 */
export function authenticate(authentication: Authentication, open: OpenResponses): RequestHandler {
  return async (request, response, next) => {
    const addressed = keyInAddress(request);
    const principal =
      addressed === undefined
        ? await authentication.identify(request.headers.authorization)
        : await authentication.identifyReader(addressed);
    if (principal !== undefined) {
      setPrincipal(request, principal);
      open.watch(principal, response);
    } else if (!isSafe(request.method) && !isOpen(request.method, request.path))
      checkPermission(principal, 'write', { scope: { some: true } });
    next();
  };
}
