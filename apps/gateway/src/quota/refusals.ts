import { counted, limitSource } from '#core';
import type { BucketLimits, Tenant } from '#core';
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
 * clients be told (draft-ietf-httpapi-ratelimit-headers-10).
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
