import { collectionKey, FetchError } from '#core';
import type { BudgetLimits } from '#core';
import { afterPause, returnSpread, untilHostIsFree } from '../../../apps/fetcher/src/hosts/admit-fetch.ts';
import { restedBudget, slowedDown, takeFrom } from '#in-memory';
import type { BudgetState } from '#in-memory';
import { nextFetchAfterFailure } from '../../../apps/fetcher/src/next-fetch.ts';
import { Dice } from '../dice.ts';
import { DueSubscriptions } from './due-subscriptions.ts';
import { Heap } from './heap.ts';
import { fixedInterval, Measurements } from './measurements.ts';
import { beginning, SimulatedFeed } from './simulated-feed.ts';
import { SimulatedFetcher } from './simulated-fetcher.ts';
import { SimulatedSubscription } from './simulated-subscription.ts';
import type { Story } from './story.ts';

const day = 86_400_000;

/** The defaults of the fetcher, in milliseconds. */
const polls = 128;
const scheduleEvery = 1000;
const budgetLimits: BudgetLimits = { rate: 10, burst: 20, connections: 4 };
const hostLimits = { connections: 4, failures: 5, pause: 10_000, longestPause: 900_000 };
const longestWait = 2000;
const busyPause = 50;
const interval = { minimum: 60, maximum: 86_400 };

const fetchers = 2;
const collections = 100;
/** Which part of the subscriptions is made in the course of the story; the others at its beginning. */
const lateShare = 0.05;
const retryAfter = 600;

/** A poll in progress. */
interface Poll {
  readonly subscription: SimulatedSubscription;
  readonly fetcher: SimulatedFetcher;
  readonly release: () => void;
  step: 'ask' | 'send' | 'end';
  waited: number;
}

/** Polls the feeds of a story as fetchers do, by a clock that takes no time. */
export class ScheduleSimulation {
  readonly measurements: Measurements;
  readonly #story: Story;
  readonly #dice: Dice;
  readonly #subscriptions: SimulatedSubscription[];
  readonly #due: DueSubscriptions;
  readonly #late: Heap = new Heap();
  readonly #budgets: BudgetState[];
  #fetchers: SimulatedFetcher[] = [];
  #events = new Heap();
  #polls = new Map<number, Poll>();
  #now = beginning;
  #pollNumber = 0;
  #runsSince = beginning;

  constructor(story: Story) {
    this.#story = story;
    this.#dice = new Dice(story.seed);
    this.measurements = new Measurements(story.hosts, budgetLimits, beginning);
    this.#subscriptions = Array.from({ length: story.subscriptions }, (_, number) => this.#subscribe(number));
    this.#due = new DueSubscriptions(story.hosts, this.#subscriptions);
    this.#budgets = Array.from({ length: story.hosts }, () => restedBudget(budgetLimits, this.#now));
    for (const one of this.#subscriptions) this.#late.push(one.nextFetchAt, one.number);
    this.#start();
  }

  /** Runs for the days of the story; calls `passed` after each of them. */
  run(passed: (day: number) => void = () => {}): Measurements {
    const { days, stop } = this.#story;
    for (let number = 0; number < days; number += 1) {
      const [until, pause] = [number + 1, Math.max(number, stop.from)];
      if (stop.from >= number && stop.from < until) {
        this.#runUntil(beginning + pause * day);
        this.#stop(beginning + stop.until * day);
      }
      this.#runUntil(beginning + until * day);
      passed(until);
    }
    this.#end();
    return this.measurements;
  }

  #subscribe(number: number): SimulatedSubscription {
    const dice = this.#dice;
    const isLate = dice.fraction() < lateShare;
    const createdAt = beginning + (isLate ? Math.floor(dice.fraction() * this.#story.days * day) : 0);
    const feed = new SimulatedFeed(this.#story.seed * 1_000_003 + number, createdAt);
    this.measurements.kind(feed.kind.name).feeds += 1;
    this.measurements.fixedRequests +=
      (beginning + this.#story.days * day - createdAt) / (fixedInterval * 1000);
    // Half of the feeds are anywhere, the others at few hosts.
    const { hosts } = this.#story;
    const isAnywhere = dice.fraction() < 0.5;
    const hostNumber = isAnywhere ? dice.below(hosts) : Math.floor((hosts + 1) ** dice.fraction() - 1);
    return new SimulatedSubscription(
      {
        number,
        collection: collectionKey(`collection-${dice.below(collections)}`),
        host: `host-${hostNumber}.example`,
        hostNumber,
      },
      feed,
      createdAt,
      { ...interval, maximum: this.#story.longestInterval },
      { stated: dice.fraction(), freshness: dice.fraction(), phase: dice.fraction() * fixedInterval * 1000 },
    );
  }

  #start(): void {
    this.#runsSince = this.#now;
    this.#fetchers = Array.from(
      { length: fetchers },
      () =>
        new SimulatedFetcher(hostLimits, {
          now: () => new Date(this.#now),
          fraction: this.#dice.fraction,
          paused: (host, pause) => {
            const spread = returnSpread(pause, new Date(this.#now));
            this.#due.postpone(numberOf(host), pause.until.getTime(), spread, this.#dice.fraction);
          },
        }),
    );
  }

  /** Everything stops: what is in flight is lost, and due again. */
  #stop(until: number): void {
    for (const { subscription } of this.#polls.values()) this.#due.put(subscription);
    for (const { subscription, step } of this.#polls.values())
      if (step === 'end') this.measurements.meters[subscription.hostNumber]?.ended();
    this.#polls = new Map();
    this.#events = new Heap();
    this.#now = until;
    this.#budgets.fill(restedBudget(budgetLimits, until));
    this.#start();
  }

  #runUntil(end: number): void {
    let look = this.#now;
    for (;;) {
      const next = Math.min(look, this.#events.first);
      if (next >= end) break;
      this.#now = Math.max(this.#now, next);
      if (next < look) this.#go(this.#events.pop());
      else look = this.#now + (this.#look() ? 100 : scheduleEvery);
    }
    this.#now = end;
  }

  /** Each fetcher leases as much as it can take; returns whether more may be due. */
  #look(): boolean {
    for (const number of this.#late.popBefore(this.#now + 1)) this.#due.put(this.#subscription(number));
    let isMoreDue = false;
    for (const fetcher of this.#fetchers) {
      const free = polls - fetcher.inFlight;
      if (free <= 0) continue;
      const occupied = new Set(fetcher.hosts.occupied.map(numberOf));
      const { leased, isMore } = this.#due.lease(
        this.#now,
        free,
        (host) => occupied.has(host),
        (host) => fetcher.hosts.freeAt(host),
      );
      for (const { number } of leased) this.#begin(fetcher, this.#subscription(number));
      isMoreDue ||= isMore;
    }
    return isMoreDue;
  }

  /** As `fetchAtHost`. */
  #begin(fetcher: SimulatedFetcher, subscription: SimulatedSubscription): void {
    const { hosts } = fetcher;
    const { host, hostNumber } = subscription;
    if (hosts.access(host) === 'open') {
      const release = hosts.take(host);
      fetcher.inFlight += 1;
      this.#pollNumber += 1;
      this.#polls.set(this.#pollNumber, { subscription, fetcher, release, step: 'ask', waited: 0 });
      return this.#events.push(this.#now, this.#pollNumber);
    }
    const pause = hosts.pauseOf(host);
    if (pause !== undefined) {
      const spread = returnSpread(pause, new Date(this.#now));
      const next = afterPause(pause, spread * this.#dice.fraction());
      subscription.nextFetchAt = next.nextFetchAt.getTime();
      this.#due.postpone(hostNumber, pause.until.getTime(), spread, this.#dice.fraction);
    }
    this.#due.put(subscription);
  }

  #go(number: number): void {
    const poll = this.#polls.get(number);
    if (poll === undefined) return;
    if (poll.step === 'ask') this.#ask(number, poll);
    else if (poll.step === 'send') this.#send(number, poll);
    else this.#respond(number, poll);
  }

  /** As `SharedHosts.admit`. */
  #ask(number: number, poll: Poll): void {
    const { host, hostNumber } = poll.subscription;
    const former = this.#budgets[hostNumber] ?? restedBudget(budgetLimits, this.#now);
    const { kind, wait, state } = takeFrom(former, budgetLimits, longestWait, this.#now);
    this.#budgets[hostNumber] = state;
    if (kind === 'granted') {
      poll.step = 'send';
      return this.#events.push(this.#now + wait, number);
    }
    if (kind === 'busy' && poll.waited < longestWait) {
      poll.waited += busyPause;
      return this.#events.push(this.#now + busyPause, number);
    }
    const { hosts } = poll.fetcher;
    const until = new Date(this.#now + wait);
    if (kind === 'paused') hosts.pauseUntil(host, until, 'it asked to be left alone (Retry-After)');
    if (kind === 'used-up') hosts.closeUntil(host, new Date(until.getTime() - longestWait));
    const busy = new FetchError('host-busy', '', { host, retryAfter: wait / 1000 });
    const moment = { now: new Date(this.#now), fraction: this.#dice.fraction() };
    const next = untilHostIsFree(busy, hosts, moment);
    this.#endPoll(number, poll, next?.nextFetchAt.getTime() ?? this.#now);
  }

  #send(number: number, poll: Poll): void {
    const { measurements } = this;
    const { subscription } = poll;
    measurements.requests += 1;
    measurements.kind(subscription.feed.kind.name).requests += 1;
    measurements.meters[subscription.hostNumber]?.sent(this.#now);
    measurements.waves.add(this.#now);
    if (subscription.hostNumber === this.#failing) measurements.wavesOfFailed.add(this.#now);
    const wait = this.#now - Math.max(subscription.nextFetchAt, this.#runsSince);
    measurements.longestWait = Math.max(measurements.longestWait, wait);
    const silence = this.#now - Math.max(subscription.requestedAt, this.#runsSince);
    measurements.longestSilence = Math.max(measurements.longestSilence, silence);
    subscription.requestedAt = this.#now;
    poll.step = 'end';
    // Mostly a tenth of a second, sometimes several.
    const latency = 30 + 80 / (0.02 + this.#dice.fraction());
    this.#events.push(this.#now + latency, number);
  }

  #respond(number: number, poll: Poll): void {
    const { subscription, fetcher } = poll;
    const { host, hostNumber } = subscription;
    this.measurements.meters[hostNumber]?.ended();
    const budget = this.#budgets[hostNumber];
    if (budget) this.#budgets[hostNumber] = { ...budget, inFlight: Math.max(0, budget.inFlight - 1) };
    const failure = this.#failureOf(hostNumber);
    if (failure === undefined) {
      fetcher.hosts.succeeded(host);
      subscription.succeeded(this.#now, this.#changesOf(subscription), this.#dice.fraction());
      return this.#endPoll(number, poll, subscription.nextFetchAt);
    }
    this.measurements.failures += 1;
    fetcher.hosts.failed(host, failure.rule);
    if (failure.retryAfter !== undefined && budget) {
      const pause = Math.min(failure.retryAfter * 1000, hostLimits.longestPause);
      const until = new Date(this.#now + pause);
      fetcher.hosts.pauseUntil(host, until, 'it asked to be left alone (Retry-After)');
      this.#budgets[hostNumber] = slowedDown(
        this.#budgets[hostNumber] ?? budget,
        budgetLimits,
        pause,
        this.#now,
      );
    }
    const { stored } = subscription;
    const pause = fetcher.hosts.pauseOf(host);
    const next = nextFetchAfterFailure(stored, {
      now: new Date(this.#now),
      fraction: this.#dice.fraction(),
      ...(pause && { pause }),
      ...failure,
    });
    subscription.stored = {
      ...stored,
      failures: stored.failures + 1,
      last: { at: new Date(this.#now), outcome: 'failed' },
    };
    this.#endPoll(number, poll, next.nextFetchAt.getTime());
  }

  #endPoll(number: number, { subscription, fetcher, release }: Poll, nextFetchAt: number): void {
    release();
    fetcher.inFlight -= 1;
    this.#polls.delete(number);
    subscription.nextFetchAt = nextFetchAt;
    this.#due.put(subscription);
  }

  /** The changes that a fetch finds; each one's delay is measured. */
  #changesOf({ feed, phase, stored }: SimulatedSubscription): number[] {
    const { measurements } = this;
    const kind = measurements.kind(feed.kind.name);
    const changes: number[] = [];
    feed.takeUntil(this.#now, (at) => {
      changes.push(at);
      // What a feed has when it is read first is not late.
      if (stored.rhythm === undefined) return;
      const [delay, fixed] = [(this.#now - at) / 1000, fixedDelay(at, phase)];
      measurements.delays.add(delay);
      kind.delays.add(delay);
      measurements.fixed.add(fixed);
      kind.fixed.add(fixed);
    });
    return changes;
  }

  /** Changes that nobody has fetched when the story ends count as if they were fetched then. */
  #end(): void {
    for (const subscription of this.#subscriptions)
      if (subscription.stored.rhythm !== undefined) this.#changesOf(subscription);
  }

  #failureOf(host: number): { readonly rule: string; readonly retryAfter?: number } | undefined {
    const { outage, overload } = this.#story;
    const days = (this.#now - beginning) / day;
    if (host === this.#failing && days >= outage.from && days < outage.until) return { rule: 'connection' };
    if (host === this.#overloaded && days >= overload.from && days < overload.until)
      return { rule: 'http-status', retryAfter };
    return undefined;
  }

  /** The hosts that fail: two with many feeds. */
  get #failing(): number {
    return 0;
  }

  get #overloaded(): number {
    return 1;
  }

  #subscription(number: number): SimulatedSubscription {
    const found = this.#subscriptions[number];
    if (found === undefined) throw new RangeError(`there is no subscription ${number}`);
    return found;
  }
}

function numberOf(host: string): number {
  return Number(/\d+/.exec(host)?.[0] ?? 0);
}

/** Seconds until polling by the fixed interval finds a change. */
function fixedDelay(at: number, phase: number): number {
  const step = fixedInterval * 1000;
  return (step - ((((at - phase) % step) + step) % step)) / 1000;
}
