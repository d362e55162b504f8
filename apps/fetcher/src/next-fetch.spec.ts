import { describe, expect, test } from '@jest/globals';
import { nextFetchAfterFailure, nextFetchAfterSuccess } from './next-fetch.ts';

const now = new Date('2026-01-01T00:00:00Z');
const interval = { minimum: 60, maximum: 3600 };
const secondsUntil = (at: Date): number => (at.getTime() - now.getTime()) / 1000;

describe('after a success', () => {
  test.each([
    ['nothing is said', {}, 60],
    ['the answer is fresh for ten minutes', { freshness: 600 }, 600],
    ['the answer is fresh for less than the shortest interval', { freshness: 5 }, 60],
    ['the answer is fresh for a year', { freshness: 31_536_000 }, 3600],
    ['the feed has a ttl beyond its freshness', { freshness: 600, timeToLive: 1200 }, 1200],
    [
      'the feed expires before it would be read again',
      { freshness: 3000, expires: new Date(now.getTime() + 1_000_000) },
      500,
    ],
    ['the feed has expired already', { freshness: 3000, expires: new Date(0) }, 60],
    ['the feed expires long after', { freshness: 600, expires: new Date(now.getTime() + 100_000_000) }, 600],
    ['the feed keeps its changes for a day, half of which is longer', { freshness: 600, window: 1 }, 600],
    ['the feed keeps its changes for no time at all', { freshness: 600, window: 0 }, 60],
  ])('where %s', (_what, hints, seconds) => {
    const next = nextFetchAfterSuccess({ interval }, { now, fraction: 0, ...hints });
    expect(secondsUntil(next.nextFetchAt)).toBe(seconds);
    expect(next.nextFetchReason).not.toBe('');
  });

  test('a hub that announces changes lengthens the interval to nearly the longest', () => {
    const hints = { now, freshness: 600, announces: true };
    const next = nextFetchAfterSuccess({ interval }, { ...hints, fraction: 0 });
    expect(Math.round(secondsUntil(next.nextFetchAt))).toBe(Math.round(3600 / 1.1));
    expect(next.nextFetchReason).toBe('the hub announces changes');
    const late = nextFetchAfterSuccess({ interval }, { ...hints, fraction: 0.999 });
    expect(secondsUntil(late.nextFetchAt)).toBeLessThanOrEqual(3600);
  });

  test('randomness lengthens the interval by a tenth at most', () => {
    expect(secondsUntil(nextFetchAfterSuccess({ interval }, { now, fraction: 0.5 }).nextFetchAt)).toBe(63);
  });

  test.each([
    [3500, 3600],
    [3600, 3600],
    [7200, 3420],
  ])('randomness does not take %i s beyond the longest interval', (freshness, seconds) => {
    expect(
      secondsUntil(nextFetchAfterSuccess({ interval }, { now, fraction: 0.5, freshness }).nextFetchAt),
    ).toBe(seconds);
  });

  test('randomness leaves an interval without leeway as it is', () => {
    const strict = { interval: { minimum: 60, maximum: 60 } };
    expect(secondsUntil(nextFetchAfterSuccess(strict, { now, fraction: 0.9 }).nextFetchAt)).toBe(60);
    expect(
      secondsUntil(nextFetchAfterSuccess(strict, { now, fraction: 0.9, freshness: 600 }).nextFetchAt),
    ).toBe(60);
  });

  test('no time that an upstream gives leads out of the range of dates', () => {
    const endless = { interval: { minimum: Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } };
    const hints = {
      freshness: Number.MAX_SAFE_INTEGER,
      timeToLive: Number.MAX_SAFE_INTEGER,
      expires: new Date(Number.NaN),
      window: 999_999_999,
    };
    const { nextFetchAt } = nextFetchAfterSuccess(endless, { now, fraction: 0, ...hints });
    expect(nextFetchAt).toEqual(new Date('2027-01-01T00:00:00Z'));
    expect(
      secondsUntil(nextFetchAfterSuccess({ interval }, { now, fraction: 0, ...hints }).nextFetchAt),
    ).toBe(3600);
  });
});

describe('after a success with a feed whose rhythm is known', () => {
  const rhythm = { seconds: 900, reason: 'it has changed about once an hour at this time of the week' };
  const next = (hints: object, bounds = interval) =>
    nextFetchAfterSuccess({ interval: bounds }, { now, fraction: 0, rhythm, ...hints });

  test('its rhythm decides, and the reason says so', () => {
    expect(next({})).toEqual({
      nextFetchAt: new Date(now.getTime() + 900_000),
      nextFetchReason: rhythm.reason,
    });
  });

  test.each([
    ['the answer is fresh for longer', { freshness: 1000 }, 1000, /fresh for 1000 s/],
    ['the answer is fresh for less', { freshness: 800 }, 900, /once an hour/],
    ['its ttl is longer', { timeToLive: 1800 }, 1800, /ttl is 1800 s/],
    [
      'it says that it is updated hourly',
      { updates: { every: 3600 } },
      3600,
      /every 3600 s \(sy:updatePeriod\)/,
    ],
    [
      'it says from when on it is updated hourly',
      { updates: { every: 3600, base: new Date('2025-01-01T00:25:00Z') } },
      1500,
      /every 3600 s from 2025-01-01T00:25:00.000Z on \(sy:updateBase\)/,
    ],
    [
      'it says from when on it will be updated hourly',
      { updates: { every: 3600, base: new Date('2027-01-01T00:25:00Z') } },
      1500,
      /sy:updateBase/,
    ],
    ['it is updated yearly', { updates: { every: 31_536_000 } }, 3600, /longest interval/],
    ['it expires soon', { expires: new Date(now.getTime() + 1_000_000) }, 500, /before it expires/],
  ])('where %s', (_what, hints, seconds, reason) => {
    const { nextFetchAt, nextFetchReason } = next(hints);
    expect(secondsUntil(nextFetchAt)).toBe(seconds);
    expect(nextFetchReason).toMatch(reason);
  });

  test('the interval of the subscription bounds it', () => {
    expect(secondsUntil(next({}, { minimum: 1000, maximum: 3600 }).nextFetchAt)).toBe(1000);
    expect(secondsUntil(next({}, { minimum: 60, maximum: 600 }).nextFetchAt)).toBe(600);
    expect(secondsUntil(next({}, { minimum: 600, maximum: 600 }).nextFetchAt)).toBe(600);
  });
});

describe('after a success with an SSE feed that keeps its changes for a while', () => {
  const rare = { minimum: 60, maximum: 2_592_000 };
  const next = (hints: object) =>
    nextFetchAfterSuccess({ interval: rare }, { now, fraction: 0, freshness: 2_592_000, ...hints });

  test('it is read again within half of that, and says so', () => {
    expect(next({ window: 3 })).toEqual({
      nextFetchAt: new Date('2026-01-02T12:00:00Z'),
      nextFetchReason: 'the feed keeps its changes for 3 days',
    });
    expect(next({ window: 1 })).toEqual({
      nextFetchAt: new Date('2026-01-01T12:00:00Z'),
      nextFetchReason: 'the feed keeps its changes for 1 day',
    });
  });

  test('of an expiry and a window the earlier one counts', () => {
    const expires = (days: number) => new Date(now.getTime() + days * 86_400_000);
    expect(secondsUntil(next({ window: 4, expires: expires(2) }).nextFetchAt)).toBe(86_400);
    expect(secondsUntil(next({ window: 2, expires: expires(4) }).nextFetchAt)).toBe(86_400);
  });
});

describe('after a failure', () => {
  test.each([
    [0, 60],
    [1, 120],
    [4, 960],
    [6, 3600],
    [5000, 3600],
  ])('with %i before it, the wait is %i s', (failures, seconds) => {
    expect(
      secondsUntil(nextFetchAfterFailure({ interval, failures }, { now, fraction: 0 }).nextFetchAt),
    ).toBe(seconds);
  });

  test('randomness does not take the wait beyond the longest interval', () => {
    const wait = (failures: number) =>
      secondsUntil(nextFetchAfterFailure({ interval, failures }, { now, fraction: 0.5 }).nextFetchAt);
    expect([wait(0), wait(5), wait(6), wait(5000)]).toEqual([75, 2400, 2700, 2700]);
  });

  test('Retry-After is honoured, also beyond the longest interval, and the reason says so', () => {
    const next = nextFetchAfterFailure({ interval, failures: 0 }, { now, fraction: 0, retryAfter: 7200 });
    expect(secondsUntil(next.nextFetchAt)).toBe(7200);
    expect(next.nextFetchReason).toBe(
      'the server asked to wait 7200 s; that is longer than the longest interval of 3600 s',
    );
  });

  test('Retry-After within the interval needs no more words', () => {
    expect(nextFetchAfterFailure({ interval, failures: 0 }, { now, fraction: 0.5, retryAfter: 100 })).toEqual(
      {
        nextFetchAt: new Date(now.getTime() + 105_000),
        nextFetchReason: 'the server asked to wait 100 s',
      },
    );
  });

  test.each([9_999_999_999, 251_608_766_399, Number.MAX_SAFE_INTEGER])(
    'a Retry-After of %i s is cut to a day, earlier by accident and never later',
    (retryAfter) => {
      const wait = (fraction: number) =>
        nextFetchAfterFailure({ interval, failures: 0 }, { now, fraction, retryAfter });
      expect(secondsUntil(wait(0).nextFetchAt)).toBe(86_400);
      expect(secondsUntil(wait(0.5).nextFetchAt)).toBe(82_080);
      expect(wait(0).nextFetchReason).toBe(
        `the server asked to wait ${retryAfter} s; at most 86400 s are granted (FETCH_RETRY_AFTER_SECONDS)` +
          '; that is longer than the longest interval of 3600 s',
      );
    },
  );

  test('the limit on Retry-After is a setting', () => {
    const limited = (retryAfter: number, failures = 0) =>
      nextFetchAfterFailure({ interval, failures }, { now, fraction: 0, retryAfter, retryAfterLimit: 300 });
    expect(limited(7200)).toEqual({
      nextFetchAt: new Date(now.getTime() + 300_000),
      nextFetchReason:
        'the server asked to wait 7200 s; at most 300 s are granted (FETCH_RETRY_AFTER_SECONDS)',
    });
    expect(limited(7200, 4)).toMatchObject({ nextFetchReason: 'failure 5 in a row' });
  });

  test('a Retry-After below the backoff does not shorten it', () => {
    expect(
      secondsUntil(
        nextFetchAfterFailure({ interval, failures: 3 }, { now, fraction: 0, retryAfter: 1 }).nextFetchAt,
      ),
    ).toBe(480);
  });
});
