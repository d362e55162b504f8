import type { RequestHandler } from 'express';
import type { GatewayPorts } from '../gateway-ports.ts';
import { checkPermission, permissionOf } from './check-demand.ts';
import { requestedChange, subjectOf } from './declared-operations.ts';
import { principalOf } from './principal.ts';

/**
 * Refuses a change whose path shows that its sender may not make it, before its body is read. `AccessGuard`
 * decides on all others.
 * @returns a handler that throws what the guard would
 */
export function checkEarly({ suspended }: Pick<GatewayPorts, 'suspended'>): RequestHandler {
  return async (request, _response, next) => {
    const requested = requestedChange(request.method, request.path);
    const permission = requested && permissionOf(requested.operation.needs);
    if (requested !== undefined && permission !== undefined) {
      const { operation, params } = requested;
      const about = subjectOf(operation, { params, query: request.query });
      const principal = principalOf(request);
      if (typeof about.scope === 'string') await suspended.check(principal, about.scope);
      checkPermission(principal, permission, about);
    }
    next();
  };
}
