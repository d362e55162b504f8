import type { Rhythm } from '#core';
import { changesExpected } from './expected-changes.ts';

const hour = 3_600_000;

/** Hours between two polls of a feed that changes once an hour. */
const pace = 0.22;

/**
 * How far random may shorten or lengthen an interval, as a share of it. What became due together, after a
 * restart or an import, is spread over the whole interval within a few polls.
 */
const spread = 0.2;

/** The interval that follows from what a feed has done. */
export interface RhythmInterval {
  readonly seconds: number;
  /** Changes an hour that are expected when it ends. */
  readonly expected: number;
}

/**
 * Returns when to poll a feed again. Polls are as dense as the square root of the expected changes is large:
 * of all ways to share out a number of polls among feeds and hours, this one finds changes soonest on
 * average.
 * @param longest seconds of the longest interval
 * @param fraction random, from 0 (included) to 1 (excluded)
 */
export function rhythmInterval(
  rhythm: Rhythm | undefined,
  now: Date,
  longest: number,
  fraction: number,
): RhythmInterval {
  const start = now.getTime();
  const end = start + longest * 1000;
  const expectedAt = changesExpected(rhythm, start);
  const enough = 1 - spread + 2 * spread * fraction;
  let [time, polls] = [start, 0];
  for (;;) {
    const expected = expectedAt(time);
    const density = Math.sqrt(expected) / (pace * hour);
    const next = Math.min(end, (Math.floor(time / hour) + 1) * hour);
    if (next === end || polls + density * (next - time) >= enough) {
      const at = Math.min(next, time + (enough - polls) / density);
      return { seconds: (at - start) / 1000, expected };
    }
    polls += density * (next - time);
    time = next;
  }
}
