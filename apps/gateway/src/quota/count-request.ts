import type { IncomingMessage } from 'node:http';
import { principalOf } from '../access/principal.ts';
import { changeOf } from '../audit/change-in-progress.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { sendProblem } from '../problems/send-problem.ts';
import type { Step } from '../requests/front.ts';
import { pathIn } from '../requests/target.ts';
import type { HeldRefusals } from './held-refusals.ts';
import { payerOf } from './payer.ts';
import type { TenantLimiter } from './tenant-limiter.ts';

const payers = new WeakMap<IncomingMessage, string>();

/**
 * Counts a request for the tenant that its key, or else its path, names, before its body is read, and
 * responds with 429 if it is one too many, without Nest: what is refused must cost little.
 * @param held sends the refusals
 * @param retrySeconds after which clients are to try again what is not available
 */
export function countRequests(limiter: TenantLimiter, held: HeldRefusals, retrySeconds: number): Step {
  const count = async (payer: string, ...[request, response, next]: Parameters<Step>): Promise<void> => {
    try {
      const counted = countFor(limiter, request, payer);
      // Nothing waits if it is known at once.
      if (counted !== undefined) await counted;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const change = changeOf(request);
      if (change !== undefined) change.problem = error.rule;
      held.send(payer, () => sendProblem(request, response, error, retrySeconds));
      return;
    }
    next();
  };
  return (request, response, next) => {
    const payer = payerOf(principalOf(request), pathIn(request));
    return payer === undefined ? next() : count(payer, request, response, next);
  };
}

/** Counts a request for a tenant. Throws `ProblemError` 429, at once or by the promise that it returns. */
export function countFor(
  limiter: TenantLimiter,
  request: IncomingMessage,
  payer: string,
): void | Promise<void> {
  payers.set(request, payer);
  return limiter.count(payer);
}

/** The tenant that a request was counted for; undefined if it was not. */
export function paidBy(request: IncomingMessage): string | undefined {
  return payers.get(request);
}
