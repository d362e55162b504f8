import type { IncomingMessage, ServerResponse } from 'node:http';
import { countRefusal, tenantWaitSeconds, waitingRequests } from '#service';
import type { GatewayConfiguration } from '#service';
import { changeOf } from '../audit/change-in-progress.ts';
import { sendProblem } from '../problems/send-problem.ts';
import type { Step } from '../requests/front.ts';
import { paidBy } from './count-request.ts';
import type { HeldRefusals } from './held-refusals.ts';
import { crowdRefusal, lateRefusal } from './refusals.ts';
import type { Place, TenantPlaces } from './tenant-places.ts';

const places = new WeakMap<ServerResponse, Place>();

/**
 * Lets a request of a tenant begin once it has a place among those of its tenant, which it has until its
 * response is written or waits for the client. Too many, and those that wait for too long, get 429.
 *
 * It is used twice, since waiting for the rest of a body needs no place: before bodies are read, for requests
 * that have arrived, and after that, for the others. A file is kept as it arrives, without a place.
 * @param held sends the refusals
 */
export function admitRequests(
  tenantPlaces: TenantPlaces,
  held: HeldRefusals,
  configuration: GatewayConfiguration,
): Step {
  const { GATEWAY_RETRY_SECONDS: retrySeconds } = configuration;
  const enter = async (tenant: string, ...[request, response, next]: Parameters<Step>): Promise<void> => {
    const refuse = (reason: typeof crowdRefusal): void => {
      const problem = reason(tenant, configuration);
      const change = changeOf(request);
      if (change !== undefined) change.problem = problem.rule;
      countRefusal(tenant, 'requestsInProgress');
      held.send(tenant, () => sendProblem(request, response, problem, retrySeconds));
    };
    const place = tenantPlaces.enter(tenant);
    if (place === undefined) return refuse(crowdRefusal);
    places.set(response, place);
    response.once('prefinish', place.leave).once('close', place.leave);
    if (place.begun !== undefined) {
      const begin = performance.now();
      waitingRequests.inc();
      const outcome = await place.begun;
      waitingRequests.dec();
      tenantWaitSeconds.observe((performance.now() - begin) / 1000);
      if (outcome === 'late') return refuse(lateRefusal);
      if (outcome === 'left') return undefined;
    }
    next();
  };
  return (request, response, next) => {
    const tenant = paidBy(request);
    if (tenant === undefined || places.has(response) || isArriving(request)) return next();
    return enter(tenant, request, response, next);
  };
}

/** Gives up the place of a request that now waits for its client, or for something to happen. */
export function leavePlace(response: ServerResponse): void {
  places.get(response)?.leave();
}

/** Whether some of the body of a request is still to come. */
function isArriving({ complete, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !complete;
}
