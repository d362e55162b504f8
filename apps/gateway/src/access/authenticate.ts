import type { IncomingMessage } from 'node:http';
import type { Step } from '../requests/front.ts';
import { isSafe } from '../requests/safe-methods.ts';
import { pathIn } from '../requests/target.ts';
import { checkPermission } from './check-demand.ts';
import type { Authentication } from './authentication.ts';
import { isOpen } from './declared-operations.ts';
import { keyInAddress } from './secret-address.ts';
import { setPrincipal } from './principal.ts';
import type { Principal } from './principal.ts';
import type { TrustedProxies } from './trusted-proxies.ts';
import type { OpenResponses } from './open-responses.ts';

/**
 * Finds out who sends a request. One that may change something and says nothing of its sender is refused
 * here, before its body is read, unless its operation is open to anyone.
 * @returns a step that throws `ProblemError` 401
 */
export function authenticate(
  authentication: Authentication,
  open: OpenResponses,
  proxies: TrustedProxies,
): Step {
  const identify = (request: IncomingMessage): Promise<Principal | undefined> => {
    const addressed = keyInAddress(request);
    if (addressed !== undefined) return authentication.identifyReader(addressed);
    const subject = proxies.subjectIn(request);
    // Whoever shows a certificate may have a key besides, which then is who they are.
    if (subject !== undefined && request.headers.authorization === undefined)
      return authentication.identifySubject(subject);
    return authentication.identify(request.headers.authorization);
  };
  return async (request, response, next) => {
    const { method = '' } = request;
    const principal = await identify(request);
    if (principal !== undefined) {
      setPrincipal(request, principal);
      open.watch(principal, response);
    } else if (!isSafe(method) && !isOpen(method, pathIn(request)))
      checkPermission(principal, 'write', { scope: { some: true } });
    next();
  };
}
