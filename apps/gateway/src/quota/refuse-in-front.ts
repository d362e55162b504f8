import type { IncomingMessage, ServerResponse } from 'node:http';
import { countRefusal, publicUrl } from '#service';
import type { GatewayConfiguration } from '#service';
import type { Authentication } from '../access/authentication.ts';
import { requestedChange } from '../access/declared-operations.ts';
import { actorOf } from '../access/principal.ts';
import type { Principal } from '../access/principal.ts';
import { secretAddressIn } from '../access/secret-address.ts';
import type { TrustedProxies } from '../access/trusted-proxies.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { crossOriginReasons } from '../browsers/cross-origin.ts';
import { readingHeaders } from '../browsers/cross-origin-reading.ts';
import type { hostCheck } from '../browsers/host-names.ts';
import type { Step } from '../requests/front.ts';
import { isSafe } from '../requests/safe-methods.ts';
import type { HeldRefusals } from './held-refusals.ts';
import { payerOf } from './payer.ts';
import { PreparedRefusals } from './prepared-refusals.ts';
import type { PreparedRefusal } from './prepared-refusals.ts';
import type { TenantLimiter } from './tenant-limiter.ts';

interface RefusalPorts {
  readonly configuration: GatewayConfiguration;
  readonly authentication: Pick<Authentication, 'recall' | 'isRequired'>;
  readonly audit: Pick<AuditTrail, 'isOn' | 'countRefusal'>;
  readonly limiter: Pick<TenantLimiter, 'isRefusing' | 'refusalOf'>;
  readonly proxies: TrustedProxies;
  readonly held: HeldRefusals;
  readonly refusalOfHost: ReturnType<typeof hostCheck>;
}

/**
 * Refuses requests beyond a tenant's limit before anything else is done for them, as the steps that follow
 * would refuse them. That is for those of which it is known at once; any other goes on, and is counted.
 */
export function refuseInFront(ports: RefusalPorts): Step {
  const refuses = refusalOfRequests(ports);
  return (request, response, next) => {
    if (!refuses(request, response)) next();
  };
}

/** Returns what refuses a request and returns true, or returns false if it is for the following steps. */
function refusalOfRequests(
  ports: RefusalPorts,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { authentication, limiter, held } = ports;
  const isAdmitted = admission(ports);
  const isCounted = auditing(ports);
  const send = sending(ports.configuration);
  const prepared = new PreparedRefusals();
  return (request, response) => {
    const { method = '', headers, url = '' } = request;
    if (!limiter.isRefusing || method === 'OPTIONS' || !url.startsWith('/')) return false;
    const address = secretAddressIn(url);
    const principal = authentication.recall(headers.authorization, address?.key);
    const saysWho = headers.authorization !== undefined || address !== undefined;
    if (principal === undefined && (saysWho || !authentication.isRequired)) return false;
    const target = address?.rest ?? url;
    const [path = ''] = target.split('?', 1);
    const payer = payerOf(principal, path);
    if (payer === undefined || !isAdmitted(request)) return false;
    const reason = limiter.refusalOf(payer);
    if (reason === undefined || !isCounted(method, path, principal)) return false;
    countRefusal(payer, 'requestsPerSecond');
    const refusal = prepared.compose(reason);
    held.send(payer, () => send(request, response, refusal, target));
    return true;
  };
}

/** Whether none of the checks that come before a request is counted is to refuse it. */
function admission({
  configuration,
  proxies,
  refusalOfHost,
}: RefusalPorts): (request: IncomingMessage) => boolean {
  const reasonFor = crossOriginReasons(publicUrl(configuration), configuration.GATEWAY_ORIGINS);
  return (request) =>
    refusalOfHost(request) === undefined &&
    proxies.isWithoutSubject(request) &&
    reasonFor(request) === undefined;
}

/** Returns whether a refusal needs no entry of its own in the audit log; it is counted there then. */
function auditing({
  audit,
}: RefusalPorts): (method: string, path: string, principal: Principal | undefined) => boolean {
  return (method, path, principal) => {
    if (isSafe(method)) return true;
    if (principal === undefined) return false;
    if (!audit.isOn || requestedChange(method, path) === undefined) return true;
    return audit.countRefusal(actorOf(principal), 429, 'tenant-throttled');
  };
}

/** Returns what sends a refusal. */
function sending({ GATEWAY_ORIGINS: origins = [], GATEWAY_STALL_SECONDS }: GatewayConfiguration) {
  return (
    request: IncomingMessage,
    response: ServerResponse,
    { headers, bodyFor }: PreparedRefusal,
    target: string,
  ): void => {
    const body = bodyFor(target);
    response.writeHead(429, {
      ...readingHeaders(origins, request.headers.origin),
      ...headers,
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
    // Whoever does not read it is disconnected, as with any response.
    if (request.socket.writableLength > 0) request.socket.setTimeout(GATEWAY_STALL_SECONDS * 1000);
  };
}
