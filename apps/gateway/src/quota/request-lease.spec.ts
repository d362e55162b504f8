import { expect, test } from '@jest/globals';
import { extendLease, noLease, takeRequest } from './request-lease.ts';
import type { RequestLease } from './request-lease.ts';

const granted = (lease: RequestLease, count: number, now: number): RequestLease =>
  extendLease(lease, { granted: count, wait: 0 }, now);

/** Takes so many requests at a time; returns what is left. */
function taken(lease: RequestLease, count: number, now: number): RequestLease {
  let left = lease;
  for (let place = 0; place < count; place += 1) {
    const outcome = takeRequest(left, now);
    if (outcome.kind !== 'taken') throw new Error(`${place} are taken, then ${outcome.kind}`);
    left = outcome.lease;
  }
  return left;
}

test('what is leased is let through for a second', () => {
  const lease = granted(noLease, 3, 5000);
  expect(takeRequest(taken(lease, 3, 5999), 5999)).toEqual({ kind: 'needed' });
  expect(takeRequest(lease, 6000)).toEqual({ kind: 'needed' });
  expect(granted(taken(lease, 1, 5500), 4, 5500).held).toBe(6);
  expect(granted(lease, 4, 6000).held).toBe(4);
});

test('a lease becomes larger the sooner it is used up, and smaller again', () => {
  let lease = granted(noLease, 1, 5000);
  const sizes = [lease.size];
  for (const now of [5050, 5120, 5150, 5400, 5801, 6202, 6603, 7004]) {
    lease = granted(lease, lease.size, now);
    sizes.push(lease.size);
  }
  expect(sizes).toEqual([1, 2, 4, 8, 8, 4, 2, 1, 1]);
});

test('half of a lease is used when the next is wanted; one request is not leased in advance', () => {
  const isLow = (size: number, held: number): unknown =>
    takeRequest({ ...noLease, size, held, until: 9000, emptyUntil: 5000 }, 5000);
  expect([isLow(8, 5), isLow(8, 4), isLow(2, 1), isLow(1, 1)]).toMatchObject([
    { isLow: false },
    { isLow: true },
    { isLow: true },
    { isLow: false },
  ]);
});

test.each([
  [10, 5050],
  [400, 5400],
  [60_000, 6000],
])('when there is nothing for %d ms, nobody asks again before %d', (wait, until) => {
  const lease = extendLease({ ...noLease, size: 8 }, { granted: 0, wait }, 5000);
  expect(lease.size).toBe(4);
  expect(takeRequest(lease, 5005)).toEqual({ kind: 'refused', wait: wait - 5 });
  expect(takeRequest(lease, until - 1)).toEqual({
    kind: 'refused',
    wait: Math.max(1, 5000 + wait - until + 1),
  });
  expect(takeRequest(lease, until)).toEqual({ kind: 'needed' });
});
