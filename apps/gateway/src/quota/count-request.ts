import type { Request, RequestHandler } from 'express';
import { principalOf } from '../access/principal.ts';
import { payerOf } from './payer.ts';
import type { TenantLimiter } from './tenant-limiter.ts';

const payers = new WeakMap<Request, string>();

/**
 * Counts a request for the tenant that its key, or else its path, names, before its body is read.
 * @returns a handler that throws `ProblemError` 429
 */
export function countRequests(limiter: TenantLimiter): RequestHandler {
  return async (request, _response, next) => {
    const payer = payerOf(principalOf(request), request.path);
    const counted = payer === undefined ? undefined : countFor(limiter, request, payer);
    // Nothing waits if it is known at once.
    if (counted !== undefined) await counted;
    next();
  };
}

/** Counts a request for a tenant. Throws `ProblemError` 429, at once or by the promise that it returns. */
export function countFor(limiter: TenantLimiter, request: Request, payer: string): void | Promise<void> {
  payers.set(request, payer);
  return limiter.count(payer);
}

/** The tenant that a request was counted for; undefined if it was not. */
export function paidBy(request: Request): string | undefined {
  return payers.get(request);
}
