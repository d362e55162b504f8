import type { Rhythm } from '#core';

/** Hours in what rates are said for, the shortest first. */
const periods = [
  ['an hour', 1],
  ['a day', 24],
  ['a week', 168],
] as const;

/**
 * Says why a feed is polled when its rhythm says so.
 * @param expected changes an hour
 */
export function rhythmReason(rhythm: Rhythm | undefined, expected: number): string {
  if (rhythm === undefined) return 'when it changes is not known yet';
  if (rhythm.changes === 0) return `it has not changed since ${rhythm.since.toISOString().slice(0, 10)}`;
  const [period, hours] = periods.find((one) => expected * one[1] >= 0.95) ?? periods[2];
  const times = expected * hours;
  const often =
    times < 0.95 ? 'less than once' : times < 1.5 ? 'about once' : `about ${Math.round(times)} times`;
  return `it has changed ${often} ${period} at this time of the week`;
}
