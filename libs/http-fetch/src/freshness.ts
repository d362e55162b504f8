import type { Freshness } from '#core';
import { fieldOf, listOf } from './header.ts';
import type { Header } from './header.ts';
import { parseHttpDate } from './http-date.ts';

/**
 * How long a response stays fresh (RFC 9111, 4.2): `max-age`, else `Expires` minus `Date`, less the `Age`
 * that it already has; never below 0. An `Expires` that is no date means 0. `now` is in milliseconds and
 * stands in for a missing `Date`.
 */
export function freshnessOf(header: Header, now: number): Freshness {
  const directives = listOf(header, 'cache-control').map(
    (directive) => /^max-age="?(\d+)"?$/.exec(directive)?.[1],
  );
  const maximum = secondsIn(directives.find((value) => value !== undefined));
  const lifetime = maximum ?? secondsToExpiry(header, now);
  if (lifetime === undefined) return {};
  return { seconds: Math.max(0, lifetime - (secondsIn(fieldOf(header, 'age')) ?? 0)) };
}

/** `Retry-After` (RFC 9110, 10.2.3) in seconds from now, whether it was written as seconds or as a date. */
export function retryAfterOf(header: Header, now: number): number | undefined {
  const value = fieldOf(header, 'retry-after');
  if (value === undefined) return undefined;
  const seconds = secondsIn(value);
  if (seconds !== undefined) return seconds;
  const at = parseHttpDate(value, now);
  return at === undefined ? undefined : secondsBetween(sentAt(header, now), at);
}

/**
 * Reads `delta-seconds` (RFC 9111, 1.2.2), of any length: a number that is too large stands for the largest.
 */
function secondsIn(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value)
    ? Math.min(Number(value), Number.MAX_SAFE_INTEGER)
    : undefined;
}

function secondsToExpiry(header: Header, now: number): number | undefined {
  const expires = fieldOf(header, 'expires');
  if (expires === undefined) return undefined;
  const at = parseHttpDate(expires, now);
  return at === undefined ? 0 : secondsBetween(sentAt(header, now), at);
}

/** The server's own clock if it tells it, so that a difference between the clocks does no harm. */
function sentAt(header: Header, now: number): number {
  return parseHttpDate(fieldOf(header, 'date') ?? '', now) ?? now;
}

function secondsBetween(from: number, to: number): number {
  return Math.max(0, Math.ceil((to - from) / 1000));
}
