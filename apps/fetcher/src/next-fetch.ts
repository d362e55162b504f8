import type { NextFetch, Subscription } from '#ports';

/** What a fetch said of the time to the next one; all in seconds but `expires`. */
export interface FetchHints {
  readonly now: Date;
  /** From 0 (included) to 1 (excluded): feeds that failed together do not return together. */
  readonly fraction: number;
  /** HTTP freshness. */
  readonly freshness?: number;
  /** RSS `ttl`. */
  readonly timeToLive?: number;
  /** FeedSync `expires` (2.2): read again before it. */
  readonly expires?: Date;
  /** SSE `window` in days (2.1): for how long the publisher keeps changes in its feed. */
  readonly window?: number;
}

/** How far the jitter may lengthen an interval, as a share of it. */
const jitter = 0.1;

/** When to fetch again after a fetch that succeeded, within the subscription's interval. */
export function nextFetchAfterSuccess({ interval }: Pick<Subscription, 'interval'>, hints: FetchHints): NextFetch {
  const wishes: [seconds: number, reason: string][] = [[interval.minimum, `the shortest interval is ${interval.minimum} s`]];
  if (hints.freshness !== undefined) wishes.push([hints.freshness, `the server calls its answer fresh for ${hints.freshness} s`]);
  if (hints.timeToLive !== undefined) wishes.push([hints.timeToLive, `the feed's ttl is ${hints.timeToLive} s`]);
  let [seconds, reason] = wishes.reduce((longest, wish) => (wish[0] > longest[0] ? wish : longest));
  if (seconds > interval.maximum) [seconds, reason] = [interval.maximum, `the longest interval is ${interval.maximum} s`];
  const bounds: [seconds: number, reason: string][] = [];
  if (hints.expires !== undefined) bounds.push([(hints.expires.getTime() - hints.now.getTime()) / 1000, 'the feed asks to be read again before it expires']);
  if (hints.window !== undefined) bounds.push([hints.window * 86_400, `the feed keeps its changes for ${hints.window} ${hints.window === 1 ? 'day' : 'days'}`]);
  for (const [bound, why] of bounds)
    if (bound / 2 < seconds) [seconds, reason] = [Math.max(bound / 2, interval.minimum), why];
  return after(seconds, reason, hints);
}

/** When to fetch again after a failure: twice as long with each one in a row, and not before the server's `Retry-After`. */
export function nextFetchAfterFailure(
  { interval, failures }: Pick<Subscription, 'interval' | 'failures'>,
  hints: Pick<FetchHints, 'now' | 'fraction'> & { retryAfter?: number },
): NextFetch {
  const backoff = Math.min(interval.minimum * 2 ** Math.min(failures, 30), interval.maximum);
  if (hints.retryAfter !== undefined && hints.retryAfter > backoff) return after(hints.retryAfter, `the server asked to wait ${hints.retryAfter} s`, hints);
  return after(backoff, `failure ${failures + 1} in a row`, hints);
}

function after(seconds: number, reason: string, { now, fraction }: Pick<FetchHints, 'now' | 'fraction'>): NextFetch {
  return { nextFetchAt: new Date(now.getTime() + Math.round(seconds * (1 + jitter * fraction) * 1000)), nextFetchReason: reason };
}
