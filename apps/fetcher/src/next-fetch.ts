import { backoffSeconds, reliedReason } from '#core';
import type { NextFetch, StatedSchedule, Subscription } from '#core';
import { afterPause, returnSpread } from './hosts/admit-fetch.ts';
import type { HostPause } from './hosts/hosts.ts';

/** What is known of the time to the next fetch. */
interface FetchHints extends StatedSchedule {
  readonly now: Date;
  /** From 0 (included) to 1 (excluded): feeds that failed together do not return together. */
  readonly fraction: number;
  /** HTTP freshness in seconds. */
  readonly freshness?: number;
  /** What the feed has done so far; the shortest interval if absent. */
  readonly rhythm?: { readonly seconds: number; readonly reason: string };
  /** Whether the next change may be left to the hub of the feed (WebSub). */
  readonly announces?: boolean;
}

/** How far the jitter may change an interval, as a share of it. */
const jitter = 0.1;

/** The same after a failure: feeds that failed together do not come back together. */
const failureJitter = 0.5;

/** Seconds of a `Retry-After` that are granted if nothing else is set: a day. */
const defaultRetryAfterSeconds = 86_400;

/** The longest wait in seconds, whatever a subscription's interval is: a year. */
const longestWait = 31_536_000;

/**
 * When to fetch again after a fetch that succeeded, within the subscription's interval: as what the feed has
 * done so far suggests, and not before what it or its server says.
 */
export function nextFetchAfterSuccess(
  { interval }: Pick<Subscription, 'interval'>,
  hints: FetchHints,
): NextFetch {
  const candidates: [seconds: number, reason: string][] = [
    [interval.minimum, `the shortest interval is ${interval.minimum} s`],
  ];
  if (hints.rhythm !== undefined) candidates.push([hints.rhythm.seconds, hints.rhythm.reason]);
  if (hints.freshness !== undefined)
    candidates.push([hints.freshness, `the server calls its answer fresh for ${hints.freshness} s`]);
  if (hints.timeToLive !== undefined)
    candidates.push([hints.timeToLive, `the feed's ttl is ${hints.timeToLive} s`]);
  if (hints.updates !== undefined) candidates.push(untilUpdate(hints.updates, hints.now));
  // A little less than the longest interval, which the jitter may lengthen.
  if (hints.announces === true) candidates.push([interval.maximum / (1 + jitter), reliedReason]);
  let [seconds, reason] = candidates.reduce((longest, candidate) =>
    candidate[0] > longest[0] ? candidate : longest,
  );
  if (seconds > interval.maximum) reason = `the longest interval is ${interval.maximum} s`;
  const bounds: [seconds: number, reason: string][] = [];
  if (hints.expires !== undefined)
    bounds.push([
      (hints.expires.getTime() - hints.now.getTime()) / 1000,
      'the feed asks to be read again before it expires',
    ]);
  if (hints.window !== undefined)
    bounds.push([
      hints.window * 86_400,
      `the feed keeps its changes for ${hints.window} ${hints.window === 1 ? 'day' : 'days'}`,
    ]);
  for (const [bound, why] of bounds)
    if (bound / 2 < Math.min(seconds, interval.maximum))
      [seconds, reason] = [Math.max(bound / 2, interval.minimum), why];
  return after(seconds, reason, hints, interval);
}

/** Seconds until a feed is updated next, as it says: a period from now, or the next of its times. */
function untilUpdate(
  { every, base }: NonNullable<StatedSchedule['updates']>,
  now: Date,
): [seconds: number, reason: string] {
  const often = `the feed says that it is updated every ${every} s`;
  if (base === undefined) return [every, `${often} (sy:updatePeriod)`];
  const since = ((((now.getTime() - base.getTime()) / 1000) % every) + every) % every;
  return [every - since, `${often} from ${base.toISOString()} on (sy:updateBase)`];
}

/** What a fetch that failed says of the time to the next one. */
interface FailureHints extends Pick<FetchHints, 'now' | 'fraction'> {
  /** HTTP `Retry-After` in seconds, and how much of it is granted. */
  readonly retryAfter?: number;
  readonly retryAfterLimit?: number;
  /** The pause of the host that failed. */
  readonly pause?: HostPause;
}

/**
 * When to fetch again after a failure: twice as long with each one in a row within the subscription's
 * interval, and not before the end of the server's `Retry-After`, as far as that is granted, and of its
 * host's pause, which may be beyond the longest interval; the reason says so then.
 */
export function nextFetchAfterFailure(
  { interval, failures }: Pick<Subscription, 'interval' | 'failures'>,
  hints: FailureHints,
): NextFetch {
  const next = afterFailure({ interval, failures }, hints);
  const { pause } = hints;
  return pause !== undefined && pause.until > next.nextFetchAt
    ? afterPause(pause, returnSpread(pause, hints.now) * hints.fraction)
    : next;
}

function afterFailure(
  { interval, failures }: Pick<Subscription, 'interval' | 'failures'>,
  hints: FailureHints,
): NextFetch {
  const { retryAfter = 0, retryAfterLimit = defaultRetryAfterSeconds } = hints;
  const backoff = backoffSeconds({ interval, failures });
  const granted = Math.min(retryAfter, retryAfterLimit);
  if (granted <= Math.min(backoff, interval.maximum))
    return after(backoff, `failure ${failures + 1} in a row`, hints, interval, failureJitter);
  const reason = [
    `the server asked to wait ${retryAfter} s`,
    ...(retryAfter > retryAfterLimit
      ? [`at most ${retryAfterLimit} s are granted (FETCH_RETRY_AFTER_SECONDS)`]
      : []),
    ...(granted > interval.maximum
      ? [`that is longer than the longest interval of ${interval.maximum} s`]
      : []),
  ].join('; ');
  return after(retryAfter, reason, hints, { minimum: interval.minimum, maximum: retryAfterLimit });
}

/**
 * What is requested is only lengthened by the jitter; what exceeds the maximum is cut to it, and then
 * shortened.
 */
function after(
  seconds: number,
  reason: string,
  { now, fraction }: Pick<FetchHints, 'now' | 'fraction'>,
  interval: Subscription['interval'],
  most = jitter,
): NextFetch {
  const maximum = Math.min(interval.maximum, longestWait);
  const change = most * fraction;
  const wait =
    seconds > maximum
      ? Math.max(maximum * (1 - change), Math.min(interval.minimum, maximum))
      : Math.min(seconds * (1 + change), maximum);
  return { nextFetchAt: new Date(now.getTime() + Math.round(wait * 1000)), nextFetchReason: reason };
}
