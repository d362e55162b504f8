import { describe, expect, test } from '@jest/globals';
import { accessTo, afterFailure, afterSuccess, freeSlots, idleHost } from './host-state.ts';
import type { HostState } from './host-state.ts';

const limits = { connections: 4, failures: 3, pause: 10_000, longestPause: 60_000 };

/** A host after so many failures at 1,000 ms. */
function failed(times: number, state: HostState = idleHost, now = 1000): HostState {
  return times === 0
    ? state
    : failed(times - 1, afterFailure(state, 'silent', { now, fraction: 0 }, limits), now);
}

describe('a host', () => {
  test('takes as many requests as there are connections', () => {
    expect(freeSlots(idleHost, 1000, limits)).toBe(4);
    expect(freeSlots({ ...idleHost, inFlight: 3 }, 1000, limits)).toBe(1);
    expect(accessTo({ ...idleHost, inFlight: 3 }, 1000, limits)).toBe('open');
    expect(accessTo({ ...idleHost, inFlight: 4 }, 1000, limits)).toBe('busy');
  });

  test('that has just failed takes one request at a time', () => {
    expect(freeSlots(failed(1), 1000, limits)).toBe(1);
    expect(accessTo({ ...failed(1), inFlight: 1 }, 1000, limits)).toBe('busy');
    expect(freeSlots({ ...failed(1), inFlight: 3 }, 1000, limits)).toBe(0);
  });

  test('is paused after so many failures in a row, and then tried with one request', () => {
    expect(accessTo(failed(2), 1000, limits)).toBe('open');
    const paused = failed(3);
    expect(paused).toEqual({ inFlight: 0, failures: 3, pauses: 1, pausedUntil: 11_000, reason: 'silent' });
    expect([10_999, 11_000].map((now) => accessTo(paused, now, limits))).toEqual(['paused', 'open']);
    expect([10_999, 11_000].map((now) => freeSlots(paused, now, limits))).toEqual([0, 1]);
  });

  test('is paused for twice as long each time, up to the longest pause', () => {
    let [state, now] = [failed(3), 1000];
    const pauses = Array.from({ length: 5 }, () => {
      now = state.pausedUntil;
      state = failed(1, state, now);
      return state.pausedUntil - now;
    });
    expect(pauses).toEqual([20_000, 40_000, 60_000, 60_000, 60_000]);
  });

  test('is not paused for longer by what was sent before the pause', () => {
    expect(failed(4, failed(3), 5000)).toMatchObject({ failures: 7, pauses: 1, pausedUntil: 11_000 });
  });

  test('that answers is as it was before, but for its requests in flight', () => {
    expect(afterSuccess({ ...failed(5), inFlight: 2 })).toEqual({ ...idleHost, inFlight: 2 });
  });

  test('randomness lengthens a pause by a tenth at most, and not beyond the longest', () => {
    const paused = (state: HostState) =>
      afterFailure(state, 'silent', { now: 1000, fraction: 0.5 }, limits).pausedUntil - 1000;
    expect(paused(failed(2))).toBe(10_500);
    expect(paused({ ...failed(2), pauses: 10 })).toBe(60_000);
  });
});
