import { Dice } from '../dice.ts';
import { feedKinds } from './feed-kinds.ts';
import type { FeedKind, FeedTraits } from './feed-kinds.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A Monday. */
export const beginning = Date.parse('2026-01-05T00:00:00Z');

/** How far back a feed shows its items: so many of them, and so many days. */
const shownItems = 15;
const shownDays = 43;

/** A feed whose changes follow from its number and a seed. Times are in milliseconds since 1970. */
export class SimulatedFeed {
  readonly kind: FeedKind;
  /** Whether its items say when they were published. */
  readonly isDated: boolean;
  readonly #seed: number;
  readonly #zone: number;
  readonly #traits: FeedTraits;
  #day: number;
  #times: readonly number[];
  #next = 0;

  /** @param from when it is followed from on */
  constructor(seed: number, from: number) {
    const dice = new Dice(seed);
    const place = dice.fraction();
    let sum = 0;
    this.kind = feedKinds.find(({ share }) => (sum += share) > place) ?? feedKinds[0] ?? never();
    this.isDated = dice.fraction() < 0.85;
    this.#seed = seed;
    this.#zone = dice.below(18) - 9;
    this.#traits = {
      weekday: dice.below(7),
      hour: 6 + dice.below(14),
      nightHour: dice.below(6),
      changesOn: 5 + dice.below(20),
    };
    this.#day = Math.floor((from - beginning) / day) - 2;
    this.#times = this.#changesOn(this.#day);
    this.takeUntil(from, () => {});
  }

  /** When the items that it shows now were published. */
  shown(now: number): number[] {
    if (!this.isDated) return [];
    const today = Math.floor((now - beginning) / day) + 1;
    const dates: number[] = [];
    for (let back = 0; back < shownDays && dates.length < shownItems; back += 1)
      dates.push(
        ...this.#changesOn(today - back)
          .filter((at) => at <= now)
          .toReversed(),
      );
    return dates.length > 0 ? dates.slice(0, shownItems) : [now - 100 * day];
  }

  /** Hands on its changes up to a time, each once, in order. */
  takeUntil(time: number, take: (at: number) => void): void {
    for (;;) {
      const at = this.#times[this.#next];
      if (at === undefined) {
        // The clock of a publisher is within 9 hours of UTC, and a day of news ends 7 hours later.
        if (time < beginning + this.#day * day + 15 * hour) return;
        this.#day += 1;
        this.#times = this.#changesOn(this.#day);
        this.#next = 0;
      } else if (at <= time) {
        this.#next += 1;
        take(at);
      } else return;
    }
  }

  #changesOn(number: number): number[] {
    const dice = new Dice(Math.imul(this.#seed, 0x9e3779b1) ^ Math.imul(number + 1000, 0x85ebca6b));
    const weekday = ((number % 7) + 7) % 7;
    const start = beginning + number * day + this.#zone * hour;
    return this.kind
      .hours(dice, weekday, this.#traits, number)
      .map((at) => start + at * hour)
      .toSorted((one, other) => one - other);
  }
}

function never(): never {
  throw new Error('there are no kinds of feeds');
}
