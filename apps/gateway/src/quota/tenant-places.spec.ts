import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { TenantPlaces } from './tenant-places.ts';
import type { Place, WaitOutcome } from './tenant-places.ts';

const limits = { requests: 2, waiting: 3, wait: 500, slow: 1000 };

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => void jest.useRealTimers());

/** Places, and which requests have begun, waited for too long, or were given up, in that order. */
function underTest() {
  const places = new TenantPlaces(limits, () => performance.now());
  const outcomes: string[] = [];
  const enter = (tenant: string, name: string): Place | undefined => {
    const place = places.enter(tenant);
    const note = (outcome: WaitOutcome): void => void outcomes.push(`${name} ${outcome}`);
    if (place === undefined) outcomes.push(`${name} refused`);
    else if (place.begun === undefined) note('begun');
    else void place.begun.then(note);
    return place;
  };
  /** What has come of requests since this was called last. */
  const come = async (): Promise<string[]> => {
    await turn();
    return outcomes.splice(0);
  };
  return { enter, come };
}

test('a tenant that is alone has as many requests in progress as it sends', async () => {
  const { enter, come } = underTest();
  for (let count = 0; count < 100; count += 1) enter('a', 'a');
  expect((await come()).every((outcome) => outcome === 'a begun')).toBe(true);
});

test('beside others it has its share, and further ones wait for its own, in order', async () => {
  const { enter, come } = underTest();
  enter('b', 'b1');
  const [a1, a2] = [enter('a', 'a1'), enter('a', 'a2')];
  enter('a', 'a3');
  enter('a', 'a4');
  // Nobody else waits with them.
  const b2 = enter('b', 'b2');
  enter('b', 'b3');
  expect(await come()).toEqual(['b1 begun', 'a1 begun', 'a2 begun', 'b2 begun']);
  a2?.leave();
  a2?.leave();
  expect(await come()).toEqual(['a3 begun']);
  b2?.leave();
  a1?.leave();
  expect(await come()).toEqual(['b3 begun', 'a4 begun']);
});

test('what begins while it is alone is left, and no more begins until it has its share', async () => {
  const { enter, come } = underTest();
  const alone = [enter('a', 'a1'), enter('a', 'a2'), enter('a', 'a3'), enter('a', 'a4')];
  enter('b', 'b1');
  enter('a', 'a5');
  await come();
  alone[0]?.leave();
  alone[1]?.leave();
  expect(await come()).toEqual([]);
  alone[2]?.leave();
  expect(await come()).toEqual(['a5 begun']);
});

test('what is slow gives its place to what waits, and no other to anyone', async () => {
  const { enter, come } = underTest();
  enter('b', 'b1');
  const slow = enter('a', 'a1');
  jest.advanceTimersByTime(400);
  const later = enter('a', 'a2');
  jest.advanceTimersByTime(5000);
  expect(await come()).toEqual(['b1 begun', 'a1 begun', 'a2 begun']);
  enter('a', 'a3');
  jest.advanceTimersByTime(1);
  // Both have had their places for a second.
  expect(await come()).toEqual(['a3 begun']);
  slow?.leave();
  later?.leave();
  enter('a', 'a4');
  jest.advanceTimersByTime(600);
  enter('a', 'a5');
  jest.advanceTimersByTime(398);
  expect(await come()).toEqual(['a4 begun']);
  jest.advanceTimersByTime(2);
  expect(await come()).toEqual(['a5 begun']);
});

test('what begins once the others have been silent for a minute waits for nothing', async () => {
  const { enter, come } = underTest();
  enter('b', 'b1');
  enter('a', 'a1');
  enter('a', 'a2');
  jest.advanceTimersByTime(59_999);
  enter('a', 'a3');
  enter('a', 'a4');
  enter('a', 'a5');
  expect(await come()).toEqual(['b1 begun', 'a1 begun', 'a2 begun']);
  jest.advanceTimersByTime(1);
  expect(await come()).toEqual(['a3 begun', 'a4 begun', 'a5 begun']);
});

test('so many wait, and so long; who is gone waits no more and keeps nobody out', async () => {
  const { enter, come } = underTest();
  enter('b', 'b1');
  const first = enter('a', 'a1');
  enter('a', 'a2');
  const waiting = enter('a', 'a3');
  enter('a', 'a4');
  jest.advanceTimersByTime(100);
  const last = enter('a', 'a5');
  enter('a', 'a6');
  expect(await come()).toEqual(['b1 begun', 'a1 begun', 'a2 begun', 'a6 refused']);
  waiting?.leave();
  waiting?.leave();
  expect(await come()).toEqual(['a3 left']);
  enter('a', 'a7');
  jest.advanceTimersByTime(400);
  expect(await come()).toEqual(['a4 late']);
  first?.leave();
  expect(await come()).toEqual(['a5 begun']);
  last?.leave();
  expect(await come()).toEqual(['a7 begun']);
  jest.advanceTimersByTime(60_000);
  expect(await come()).toEqual([]);
});
