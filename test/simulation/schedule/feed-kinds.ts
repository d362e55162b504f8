import type { StatedSchedule } from '#core';
import type { Dice } from '../dice.ts';

/** What tells one feed of a kind from another. */
export interface FeedTraits {
  /** From 0, Monday. */
  readonly weekday: number;
  /** Of the day, by the publisher's clock. */
  readonly hour: number;
  /** Of the night. */
  readonly nightHour: number;
  /** The day of the simulation, from 0, from which on a feed has another rhythm. */
  readonly changesOn: number;
}

/** Hours of one day, by the publisher's clock, at which a feed changes; in no order. */
type HoursOfDay = (dice: Dice, weekday: number, traits: FeedTraits, day: number) => number[];

/** A kind of feeds, and what share of all it has. */
export interface FeedKind {
  readonly name: string;
  readonly share: number;
  readonly hours: HoursOfDay;
  /** What such feeds say of the next request, and how many of them do. */
  readonly stated: readonly (readonly [share: number, stated: StatedSchedule])[];
}

const hourly = { updates: { every: 3600 } };
const weblog = [
  [0.3, hourly],
  [0.15, { timeToLive: 3600 }],
] as const;
const office = [
  [0.1, hourly],
  [0.15, { timeToLive: 900 }],
] as const;

/** Feeds as they are met: most change rarely, a few change all the time. */
export const feedKinds: readonly FeedKind[] = [
  { name: 'dead', share: 0.28, hours: () => [], stated: weblog },
  {
    name: 'irregular',
    share: 0.24,
    hours: (dice) => [...spread(dice, 0.25, 7, 24), ...spread(dice, 0.03, 0, 7)],
    stated: weblog,
  },
  {
    name: 'weekly podcast',
    share: 0.1,
    hours: (dice, weekday, traits) =>
      weekday === traits.weekday ? [traits.hour + 0.6 * dice.fraction()] : [],
    stated: weblog,
  },
  {
    name: 'nightly',
    share: 0.1,
    hours: (dice, _weekday, { nightHour }) => [nightHour + 0.4 * dice.fraction()],
    stated: weblog,
  },
  {
    name: 'office hours',
    share: 0.15,
    hours: (dice, weekday) => (weekday < 5 ? spread(dice, 8, 9, 17) : spread(dice, 0.3, 9, 20)),
    stated: office,
  },
  {
    name: 'news',
    share: 0.06,
    hours: (dice) => [...spread(dice, 60, 7, 22), ...spread(dice, 5, 22, 31)],
    stated: [[0.15, { timeToLive: 900 }]],
  },
  { name: 'chatty', share: 0.01, hours: (dice) => spread(dice, 288, 0, 24), stated: [] },
  {
    name: 'bursts',
    share: 0.03,
    hours: (dice) => {
      if (dice.fraction() >= 0.25) return [];
      const begin = 8 + 12 * dice.fraction();
      return spread(dice, 11, begin, begin + 2);
    },
    stated: weblog,
  },
  {
    name: 'changing rhythm',
    share: 0.03,
    hours: (dice, weekday, { nightHour, changesOn }, day) => {
      if (day >= changesOn) return [nightHour + 0.4 * dice.fraction()];
      return weekday < 5 ? spread(dice, 8, 9, 17) : [];
    },
    stated: office,
  },
];

/** Times of a Poisson process that has so many in all on average. */
function spread(dice: Dice, average: number, from: number, until: number): number[] {
  const times: number[] = [];
  for (let sum = -Math.log(1 - dice.fraction()); sum < average; sum -= Math.log(1 - dice.fraction()))
    times.push(from + (sum / average) * (until - from));
  return times;
}
