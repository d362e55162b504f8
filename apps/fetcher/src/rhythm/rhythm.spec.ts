import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Rhythm } from '#core';
import { changesExpected } from './expected-changes.ts';
import { firstRhythm, learnRhythm } from './learn-rhythm.ts';
import { rhythmInterval } from './rhythm-interval.ts';
import { rhythmReason } from './rhythm-reason.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** A Monday. */
const start = Date.parse('2026-01-05T00:00:00Z');
const longest = 86_400;

/** A feed that changes at given hours of given days (0 is Monday) for some weeks. */
function learned(weeks: number, hours: readonly number[], days = [0, 1, 2, 3, 4, 5, 6]): Rhythm {
  let rhythm = firstRhythm([], new Date(start));
  for (let number = 0; number < weeks * 7; number += 1)
    if (days.includes(number % 7))
      for (const at of hours) {
        const time = start + number * day + at * hour;
        rhythm = learnRhythm(rhythm, new Date(time - 300_000), new Date(time + 300_000), [time]);
      }
  return rhythm;
}

const seconds = (rhythm: Rhythm | undefined, now: number): number =>
  rhythmInterval(rhythm, new Date(now), longest, 0.5).seconds;

describe('a feed of office hours', () => {
  const rhythm = learned(6, [9.5, 10.5, 11.5, 12.5, 13.5, 14.5, 15.5, 16.5], [0, 1, 2, 3, 4]);
  const monday = start + 42 * day;

  test('is polled several times an hour in them, and rarely at night and on Sunday', () => {
    expect(seconds(rhythm, monday + 11 * hour)).toBeLessThan(1200);
    expect(seconds(rhythm, monday + 20 * hour)).toBeGreaterThan(2 * 3600);
    expect(seconds(rhythm, monday + 6 * day + 11 * hour)).toBeGreaterThan(3600);
  });

  test('is polled soon after they begin, however long the interval before was', () => {
    const next = monday + 7 * hour + seconds(rhythm, monday + 7 * hour) * 1000;
    expect((next - monday) / hour).toBeGreaterThan(8);
    expect((next - monday) / hour).toBeLessThan(10);
  });

  test('is expected to change as often as it did', () => {
    expect(changesExpected(rhythm, monday)(monday + 11 * hour)).toBeGreaterThan(0.7);
    expect(changesExpected(rhythm, monday)(monday + 11 * hour)).toBeLessThan(1.4);
  });

  test('is forgotten when it has another rhythm', () => {
    let changed = rhythm;
    for (let number = 0; number < 42; number += 1) {
      const time = monday + number * day + 2 * hour;
      changed = learnRhythm(changed, new Date(time - hour), new Date(time + hour), [time]);
    }
    const later = monday + 42 * day;
    expect(seconds(changed, later + 2 * hour)).toBeLessThan(seconds(changed, later + 11 * hour));
  });
});

test('a feed that is published once a week is polled around that time', () => {
  const rhythm = learned(6, [6.5], [2]);
  const wednesday = start + 44 * day;
  expect(seconds(rhythm, wednesday + 6.2 * hour)).toBeLessThan(2400);
  expect(seconds(rhythm, wednesday + 12 * hour)).toBeGreaterThan(5400);
});

test('a feed that changes all the time keeps its rate, however often it is written down', () => {
  let rhythm = firstRhythm([], new Date(start));
  for (let number = 0; number < 30 * 24 * 12; number += 1) {
    const time = start + number * 300_000;
    rhythm = learnRhythm(rhythm, new Date(time - 300_000), new Date(time), [time]);
  }
  const now = start + 30 * day;
  for (let at = now; at < now + 7 * day; at += hour) {
    expect(changesExpected(rhythm, now)(at)).toBeGreaterThan(8);
    expect(changesExpected(rhythm, now)(at)).toBeLessThan(16);
  }
});

test('a feed of which nothing is known is polled about once in an hour', () => {
  expect(seconds(undefined, start)).toBeGreaterThan(1800);
  expect(seconds(undefined, start)).toBeLessThan(7200);
});

test('the longer a feed has not changed, the less often it is polled', () => {
  const rhythm = firstRhythm([start - 100 * day], new Date(start));
  const intervals = [0, 1, 4, 20].map((days) => seconds(rhythm, start + days * day));
  expect(intervals).toEqual(intervals.toSorted((one, other) => one - other));
  expect(intervals[0]).toBeGreaterThan(4 * 3600);
});

test('the dates of the items that a feed has when it is read first tell its rhythm at once', () => {
  const dates = Array.from({ length: 15 }, (_, number) => start - number * day - 22 * hour);
  const rhythm = firstRhythm(dates.toReversed(), new Date(start));
  expect(seconds(rhythm, start + 1.9 * hour)).toBeLessThan(seconds(rhythm, start + 10 * hour) / 3);
});

test('changes one after the other let expect further ones, for a while', () => {
  let rhythm = firstRhythm([start - 100 * day], new Date(start));
  for (let number = 1; number <= 6; number += 1) {
    const time = start + number * 600_000;
    rhythm = learnRhythm(rhythm, new Date(time - 300_000), new Date(time), [time]);
  }
  expect(seconds(rhythm, start + hour)).toBeLessThan(1200);
  expect(seconds(rhythm, start + day)).toBeGreaterThan(3000);
});

test('a change without a date is taken for one at some time between the polls', () => {
  const rhythm = learnRhythm(
    firstRhythm([], new Date(start)),
    new Date(start + 8 * hour),
    new Date(start + 12 * hour),
    [],
  );
  const expected = changesExpected(rhythm, start + 12 * hour);
  expect(expected(start + 34 * hour)).toBeGreaterThan(2 * expected(start + 26 * hour));
  expect(rhythm.changes).toBe(1);
});

test('whatever dates a feed has, its rhythm is bounded, and so is the interval', () => {
  const time = fc.integer({ min: -8.64e15, max: 8.64e15 });
  const recent = fc.integer({ min: start - 60 * day, max: start + 60 * day });
  fc.assert(
    fc.property(
      fc.array(fc.oneof(time, recent), { maxLength: 40 }),
      fc.array(
        fc.record({
          polled: fc.integer({ min: 0, max: 30 * day }),
          dates: fc.array(fc.oneof(time, recent), { maxLength: 5 }),
        }),
        { maxLength: 10 },
      ),
      fc.integer({ min: 1, max: 31_536_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (first, polls, most, fraction) => {
        let now = start;
        let rhythm = firstRhythm(first, new Date(now));
        for (const { polled, dates } of polls) {
          rhythm = learnRhythm(rhythm, new Date(now), new Date(now + polled), dates);
          now += polled;
        }
        expect(rhythm.week === '' || /^[\w-]{93}$/.test(rhythm.week)).toBe(true);
        expect(rhythm.at.getTime()).toBeLessThanOrEqual(now);
        expect(rhythm.changes).toBeGreaterThanOrEqual(0);
        const interval = rhythmInterval(rhythm, new Date(now), most, fraction);
        expect(interval.seconds).toBeGreaterThan(0);
        expect(interval.seconds).toBeLessThanOrEqual(most);
        expect(rhythmReason(rhythm, interval.expected)).toMatch(/^it has (?:not )?changed .{5,}$/);
      },
    ),
  );
});

describe('the reason of an interval', () => {
  const rhythm = { ...firstRhythm([], new Date(start)), changes: 3 };

  test.each([
    [undefined, 0.1, 'when it changes is not known yet'],
    [{ ...rhythm, changes: 0 }, 0.1, 'it has not changed since 2026-01-05'],
    [rhythm, 3.2, 'it has changed about 3 times an hour at this time of the week'],
    [rhythm, 1, 'it has changed about once an hour at this time of the week'],
    [rhythm, 0.2, 'it has changed about 5 times a day at this time of the week'],
    [rhythm, 0.02, 'it has changed about 3 times a week at this time of the week'],
    [rhythm, 0.001, 'it has changed less than once a week at this time of the week'],
  ])('is one plain sentence', (known, expected, reason) => {
    expect(rhythmReason(known, expected)).toBe(reason);
  });
});
