import { readDate } from './date.ts';
import type { Child } from './payload.ts';
import { readContent } from './text-content.ts';

const namespace = 'http://purl.org/rss/1.0/modules/syndication/';

/** Seconds of an `updatePeriod`; a month has 30 days. */
const periods: ReadonlyMap<string, number> = new Map([
  ['hourly', 3600],
  ['daily', 86_400],
  ['weekly', 604_800],
  ['monthly', 2_592_000],
  ['yearly', 31_536_000],
]);

/** How often a feed says that it is updated. */
export interface Syndication {
  /** Seconds, at least 1. */
  readonly every: number;
  /** `updateBase`: one of the times at which it is updated; RFC 3339, whole seconds, UTC. */
  readonly base?: string;
}

/**
 * Reads `updatePeriod` (a day if missing), `updateFrequency` (1 if missing) and `updateBase` of the
 * syndication module of RSS 1.0. Returns undefined if there is neither of the first two, or if one of them is
 * none of the values that it may have. An `updateBase` that is no date is left out; the module's own default
 * of 1970 is not assumed, since that would have all hourly feeds requested on the hour.
 */
export function readSyndication(children: readonly Child[]): Syndication | undefined {
  const textOf = (name: string): string | undefined => {
    const child = children.find((one) => one.namespace === namespace && one.name === name);
    return child === undefined ? undefined : readContent(child.xml).text.trim();
  };
  const [period, frequency] = [textOf('updatePeriod'), textOf('updateFrequency')];
  if (period === undefined && frequency === undefined) return undefined;
  const seconds = periods.get((period ?? 'daily').toLowerCase());
  if (seconds === undefined || !/^[1-9][0-9]{0,6}$/.test(frequency ?? '1')) return undefined;
  const base = readDate(textOf('updateBase') ?? '')?.dateTime;
  return {
    every: Math.max(1, Math.round(seconds / Number(frequency ?? 1))),
    ...(base !== undefined && { base }),
  };
}
