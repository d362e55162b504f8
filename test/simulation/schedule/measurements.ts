import type { BudgetLimits } from '#core';
import { Delays } from './delays.ts';
import { feedKinds } from './feed-kinds.ts';
import { HostMeter } from './host-meter.ts';
import { WaveMeter } from './wave-meter.ts';

/** Seconds between two requests of the polling that is compared with. */
export const fixedInterval = 900;

/** What was seen of the feeds of one kind. */
export interface KindMeasurements {
  feeds: number;
  requests: number;
  /** From each change to its fetch, and to that of the fixed interval. */
  readonly delays: Delays;
  readonly fixed: Delays;
}

/** Everything that is measured. Times are in milliseconds. */
export class Measurements {
  requests = 0;
  /** Those that polling by the fixed interval would have sent. */
  fixedRequests = 0;
  failures = 0;
  /** The longest that a due subscription waited while there were fetchers, and of which host. */
  longestWait = 0;
  /** The longest from one request of a feed to the next. */
  longestSilence = 0;
  readonly delays = new Delays();
  readonly fixed = new Delays();
  readonly kinds: ReadonlyMap<string, KindMeasurements>;
  readonly meters: readonly HostMeter[];
  readonly waves: WaveMeter;
  /** Those to the host that failed. */
  readonly wavesOfFailed: WaveMeter;

  constructor(hosts: number, limits: BudgetLimits, start: number) {
    this.meters = Array.from({ length: hosts }, () => new HostMeter(limits));
    this.waves = new WaveMeter(start);
    this.wavesOfFailed = new WaveMeter(start);
    const none = (): KindMeasurements => ({
      feeds: 0,
      requests: 0,
      delays: new Delays(),
      fixed: new Delays(),
    });
    this.kinds = new Map(feedKinds.map(({ name }) => [name, none()]));
  }

  kind(name: string): KindMeasurements {
    const found = this.kinds.get(name);
    if (found === undefined) throw new RangeError(`there is no kind ${name}`);
    return found;
  }
}
