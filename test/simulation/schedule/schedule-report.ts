import type { Delays } from './delays.ts';
import type { Measurements } from './measurements.ts';
import { beginning } from './simulated-feed.ts';
import type { Story } from './story.ts';

const day = 86_400_000;
const hour = day / 24;

/** What a simulation came to, as numbers. Times are in seconds. */
export interface ScheduleReport {
  readonly requests: number;
  /** Beside polling each feed by the fixed interval. */
  readonly share: number;
  readonly mean: number;
  readonly fixedMean: number;
  readonly p95: number;
  readonly fixedP95: number;
  /** Requests beyond the limits of a host. */
  readonly excessRate: number;
  readonly excessConnections: number;
  readonly longestWait: number;
  readonly longestSilence: number;
  /** Variance of requests in a minute by their mean: in the last day before the stop, after the first
   * day, after the stop, and of the host that failed after it came back. */
  readonly dispersion: {
    readonly firstDay: number;
    readonly usual: number;
    readonly afterOutage: number;
    readonly afterStop: number;
  };
}

export function reportOf(measurements: Measurements, { days, outage, stop }: Story): ScheduleReport {
  const { requests, fixedRequests, delays, fixed, meters, waves, wavesOfFailed } = measurements;
  const at = (days_: number): number => beginning + days_ * day;
  return {
    requests,
    share: requests / fixedRequests,
    mean: delays.mean,
    fixedMean: fixed.mean,
    p95: delays.percentile(0.95),
    fixedP95: fixed.percentile(0.95),
    excessRate: Math.max(...meters.map(({ excessRate }) => excessRate)),
    excessConnections: Math.max(...meters.map(({ excessConnections }) => excessConnections)),
    longestWait: measurements.longestWait / 1000,
    longestSilence: measurements.longestSilence / 1000,
    dispersion: {
      firstDay: waves.dispersion(at(0) + 2 * hour, at(1)),
      usual: waves.dispersion(at(stop.from) - day, at(stop.from)),
      afterOutage: wavesOfFailed.dispersion(at(outage.until) + hour, at(outage.until) + hour + day / 2),
      afterStop: waves.dispersion(at(stop.until) + hour, Math.min(at(days), at(stop.until) + hour + day)),
    },
  };
}

/** The report for people. */
export function written(measurements: Measurements, story: Story): string {
  const report = reportOf(measurements, story);
  const { dispersion } = report;
  const minutes = (seconds: number): string => (seconds / 60).toFixed(1);
  const { most, mean } = measurements.waves.most(beginning, beginning + story.days * day);
  const kinds = [...measurements.kinds].map(([name, { feeds, requests, delays, fixed }]) =>
    row([
      name,
      feeds,
      (requests / Math.max(1, feeds) / story.days).toFixed(1),
      (delays.count / Math.max(1, feeds) / story.days).toFixed(2),
      delaysOf(delays),
      delaysOf(fixed),
    ]),
  );
  return [
    `${story.subscriptions} subscriptions, ${story.hosts} hosts, ${story.days} days, seed ${story.seed}`,
    `requests: ${report.requests}, ${report.share.toFixed(3)} of a fixed 15 minutes`,
    `delay: ${minutes(report.mean)} min on average (fixed: ${minutes(report.fixedMean)}), ` +
      `95 % within ${minutes(report.p95)} (fixed: ${minutes(report.fixedP95)})`,
    `beyond the limits of a host: ${report.excessRate.toFixed(3)} requests, ` +
      `${report.excessConnections} connections`,
    `longest wait of a due feed: ${report.longestWait.toFixed(1)} s; longest time between two requests: ` +
      `${(report.longestSilence / 3600).toFixed(1)} h`,
    `variance of a minute by its mean: first day ${dispersion.firstDay.toFixed(2)}, later ` +
      `${dispersion.usual.toFixed(2)}, host after its outage ${dispersion.afterOutage.toFixed(2)}, ` +
      'after a stop ' +
      dispersion.afterStop.toFixed(2),
    `requests in a minute: ${mean.toFixed(0)} on average, ${most} at the most; ` +
      `failures: ${measurements.failures}`,
    row(['kind', 'feeds', 'requests a day', 'changes a day', 'delay: mean, 95 % (min)', 'fixed']),
    ...kinds,
  ].join('\n');

  function delaysOf(delays: Delays): string {
    return `${minutes(delays.mean)}, ${minutes(delays.percentile(0.95))}`;
  }
}

function row(cells: readonly (string | number)[]): string {
  return cells.map((cell, place) => String(cell).padEnd(place === 0 ? 18 : 16)).join('');
}
