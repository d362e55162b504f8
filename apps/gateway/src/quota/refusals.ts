import { counted, limitSource } from '#core';
import type { BucketLimits, Tenant } from '#core';
import type { GatewayConfiguration } from '#service';
import { ProblemError } from '../problems/problem-error.ts';

type Limits = Pick<Tenant, 'limits'>;

/** A tenant that sends more requests than it may. */
export interface RateRefusal {
  readonly name: string;
  readonly tenant: Limits;
  readonly limits: BucketLimits;
  /** Milliseconds until one may be sent. */
  readonly wait: number;
}

/** The seconds after which a client is to try again. */
export function retrySeconds({ wait }: Pick<RateRefusal, 'wait'>): number {
  return Math.max(1, Math.ceil(wait / 1000));
}

/**
 * What is thrown if a tenant sends more requests than it may: 429, with what the draft of the IETF has
 * servers announce (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function rateRefusal({ name, tenant, limits: { rate, burst }, wait }: RateRefusal): ProblemError {
  const seconds = retrySeconds({ wait });
  return new ProblemError(
    429,
    'tenant-throttled',
    `The tenant "${name}" may send ${counted(rate, 'requests')} a second (requestsPerSecond, ` +
      `${limitSource(tenant, 'requestsPerSecond')}). Try again in ${counted(seconds, 'seconds')}.`,
    {},
    {
      'Retry-After': String(seconds),
      'RateLimit-Policy': `"requestsPerSecond";q=${burst};w=${Math.round(burst / rate)}`,
      RateLimit: `"requestsPerSecond";r=0;t=${seconds}`,
    },
  );
}

/**
 * What is thrown if a tenant has as many event streams open as it may: 429.
 * @param seconds after which to try again
 */
export function streamRefusal(name: string, tenant: Limits, most: number, seconds: number): ProblemError {
  return new ProblemError(
    429,
    'tenant-throttled',
    `The tenant "${name}" may have ${most} event streams and waiting long polls at the same time ` +
      `(eventStreams, ${limitSource(tenant, 'eventStreams')}). Try again in ${counted(seconds, 'seconds')}.`,
    {},
    { 'Retry-After': String(seconds) },
  );
}

/** What is thrown if too many requests of a tenant wait at this gateway: 429. */
export function crowdRefusal(name: string, configuration: GatewayConfiguration): ProblemError {
  const { GATEWAY_TENANT_WAITING: waiting } = configuration;
  return placeRefusal(
    name,
    configuration,
    `${counted(waiting, 'requests')} of it wait already (setting GATEWAY_TENANT_WAITING)`,
  );
}

/** What is thrown if a request has waited for others of its tenant for too long: 429. */
export function lateRefusal(name: string, configuration: GatewayConfiguration): ProblemError {
  const { GATEWAY_TENANT_WAIT_SECONDS: seconds } = configuration;
  return placeRefusal(
    name,
    configuration,
    `this one has waited for ${counted(seconds, 'seconds')} (setting GATEWAY_TENANT_WAIT_SECONDS)`,
  );
}

function placeRefusal(name: string, configuration: GatewayConfiguration, what: string): ProblemError {
  const { GATEWAY_TENANT_REQUESTS: most, GATEWAY_RETRY_SECONDS } = configuration;
  const seconds = counted(GATEWAY_RETRY_SECONDS, 'seconds');
  return new ProblemError(
    429,
    'tenant-throttled',
    `While other tenants send requests too, this gateway works on ${most} of the tenant "${name}" at the ` +
      `same time (setting GATEWAY_TENANT_REQUESTS), and ${what}. Try again in ${seconds}.`,
    {},
    { 'Retry-After': String(GATEWAY_RETRY_SECONDS) },
  );
}
