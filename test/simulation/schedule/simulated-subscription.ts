import type { CollectionKey, Rhythm, Subscription } from '#core';
import { observedRhythm } from '../../../apps/fetcher/src/rhythm/observed-rhythm.ts';
import { usualInterval } from '../../../apps/fetcher/src/rhythm/usual-interval.ts';
import { nextFetchAfterSuccess } from '../../../apps/fetcher/src/next-fetch.ts';
import { stillStated } from '../../../apps/fetcher/src/stated-schedule.ts';
import type { Scheduled } from './due-subscriptions.ts';
import type { SimulatedFeed } from './simulated-feed.ts';

type Stored = Pick<Subscription, 'interval' | 'failures' | 'rhythm' | 'last' | 'createdAt' | 'stated'>;

/** A subscription with its feed. It knows when it is due, and decides by the product's own functions. */
export class SimulatedSubscription implements Scheduled {
  readonly number: number;
  readonly collection: CollectionKey;
  readonly host: string;
  readonly hostNumber: number;
  readonly feed: SimulatedFeed;
  nextFetchAt: number;
  /** When its feed was last requested; when it was created, before that. */
  requestedAt: number;
  /** When polling by a fixed interval would request it, in milliseconds after each multiple of that. */
  readonly phase: number;
  stored: Stored;
  readonly #freshness: number | undefined;

  constructor(
    place: Pick<Scheduled, 'number' | 'collection' | 'host' | 'hostNumber'>,
    feed: SimulatedFeed,
    createdAt: number,
    interval: Subscription['interval'],
    random: { readonly stated: number; readonly freshness: number; readonly phase: number },
  ) {
    this.number = place.number;
    this.collection = place.collection;
    this.host = place.host;
    this.hostNumber = place.hostNumber;
    this.feed = feed;
    this.nextFetchAt = createdAt;
    this.requestedAt = createdAt;
    this.phase = random.phase;
    let sum = 0;
    const [, stated] = feed.kind.stated.find(([share]) => (sum += share) > random.stated) ?? [];
    this.stored = {
      interval,
      failures: 0,
      createdAt: new Date(createdAt),
      ...(stated && { stated }),
    };
    this.#freshness = random.freshness < 0.2 ? 300 : undefined;
  }

  /**
   * Takes that the feed was read, or had not changed; returns the reason of the next fetch.
   * @param changes when it has changed since the last request
   */
  succeeded(now: number, changes: readonly number[], fraction: number): string {
    const moment = { now: new Date(now), fraction };
    const rhythm = this.#learned(moment.now, changes);
    this.stored = {
      ...this.stored,
      failures: 0,
      last: { at: moment.now, outcome: changes.length > 0 ? 'fetched' : 'not-modified' },
      ...(rhythm && { rhythm }),
    };
    const next = nextFetchAfterSuccess(this.stored, {
      ...moment,
      rhythm: usualInterval(this.stored, moment),
      ...stillStated(this.stored.stated, moment.now),
      ...(this.#freshness !== undefined && { freshness: this.#freshness }),
    });
    this.nextFetchAt = next.nextFetchAt.getTime();
    return next.nextFetchReason;
  }

  /** What a poll has learned, if there was anything to read. */
  #learned(now: Date, changes: readonly number[]): Rhythm | undefined {
    const isFirst = this.stored.rhythm === undefined;
    if (!isFirst && changes.length === 0) return undefined;
    const dates = isFirst ? this.feed.shown(now.getTime()) : this.feed.isDated ? changes : [];
    return observedRhythm(this.stored, { now, isChanged: true, dates });
  }
}
