import type { Rhythm } from '#core';
import { left, memory, recentMemory } from './learn-rhythm.ts';
import { dayShare, hourShare } from './week-shares.ts';

const hour = 3_600_000;

/** What is expected of a feed before anything is known of it: so many changes in so many hours. */
const presumed = { changes: 0.25, hours: 6 };

/** How many changes it takes until the hours and days count as much as that each is like the others. */
const evenness = 2;

/**
 * Returns how many changes an hour a feed is expected to have at a time (milliseconds since 1970): as many as
 * in that hour on that day of the week so far, or more while it changes again and again.
 */
export function changesExpected(rhythm: Rhythm | undefined, now: number): (time: number) => number {
  if (rhythm === undefined) return () => presumed.changes / presumed.hours;
  const { since, at, changes, recent, week } = rhythm;
  const elapsed = now - at.getTime();
  const weight = changes * left(elapsed, memory);
  const observed = (memory * (1 - left(now - since.getTime(), memory))) / hour;
  const average = (weight + presumed.changes) / (observed + presumed.hours);
  const burst = recent * left(elapsed, recentMemory);
  return (time) => {
    const usual = average * ratio(hourShare(week, time), weight, 24) * ratio(dayShare(week, time), weight, 7);
    const further = (hour / recentMemory) * (burst * left(time - now, recentMemory) - 1) - usual;
    return Math.max(usual, further);
  };
}

/** How much more happens in one of so many parts than in the average one. */
function ratio(share: number, weight: number, parts: number): number {
  return (parts * (share * weight + evenness / parts)) / (weight + evenness);
}
