import type { Rhythm } from '#core';
import { withChanges } from './week-shares.ts';

/** In how many milliseconds the weight of a change falls to 37 %: three weeks; of a recent one 90 minutes. */
export const memory = 21 * 86_400_000;
export const recentMemory = 5_400_000;

/** Changes that are nearer to each other than this are one: a publication is not always one step. */
const oneChange = 120_000;

/** How far back the dates of items are looked at when a feed is read for the first time, in milliseconds. */
const longestPast = 2 * memory;

/** How many hours a change without a date is spread over at the most. */
const mostHours = 24;
const hour = 3_600_000;

/** The part that is left of a weight after a time in milliseconds. */
export function left(elapsed: number, lasting: number): number {
  return Math.exp(-Math.max(0, elapsed) / lasting);
}

/**
 * Begins the rhythm of a feed that was read for the first time from the dates of its items, which may be in
 * any order and anything.
 */
export function firstRhythm(dates: readonly number[], now: Date): Rhythm {
  const end = now.getTime();
  const known = dates.filter((date) => date <= end).toSorted((one, other) => one - other);
  const since = Math.max(known[0] ?? end, end - longestPast);
  const began = { since: new Date(since), at: new Date(since), changes: 0, recent: 0, week: '' };
  return known.reduce((rhythm, date) => withChange(rhythm, date), began);
}

/**
 * Adds what a poll has found: one change, or several if items have dates between the polls.
 * @param polled when the feed was requested before
 * @param dates of its items, and of the document, in any order
 */
export function learnRhythm(rhythm: Rhythm, polled: Date, now: Date, dates: readonly number[]): Rhythm {
  const [start, end] = [Math.max(polled.getTime(), rhythm.at.getTime()), now.getTime()];
  const known = dates.filter((date) => date > start && date <= end).toSorted((one, other) => one - other);
  const found = known.reduce((former, date) => withChange(former, date), rhythm);
  return found === rhythm ? withUndated(rhythm, start, end) : found;
}

/** Adds one change; one that is just after the last is the same one, one before it is forgotten. */
function withChange(rhythm: Rhythm, at: number): Rhythm {
  const elapsed = at - rhythm.at.getTime();
  if (elapsed < 0 || (elapsed < oneChange && rhythm.changes > 0)) return rhythm;
  return added(rhythm, at, [at]);
}

/** Adds one change that was at some time between two polls. */
function withUndated(rhythm: Rhythm, start: number, end: number): Rhythm {
  const count = Math.min(mostHours, Math.max(1, Math.ceil((end - start) / hour)));
  const step = Math.max(0, end - start) / count;
  const times = Array.from({ length: count }, (_, index) => end - (index + 0.5) * step);
  return added(rhythm, end, times);
}

function added(rhythm: Rhythm, at: number, times: readonly number[]): Rhythm {
  const elapsed = at - rhythm.at.getTime();
  const changes = rhythm.changes * left(elapsed, memory);
  return {
    since: rhythm.since,
    at: new Date(Math.max(at, rhythm.at.getTime())),
    changes: rounded(changes + 1),
    recent: rounded(rhythm.recent * left(elapsed, recentMemory) + 1),
    week: withChanges(rhythm.week, changes * times.length, times),
  };
}

/** Six digits are enough. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
