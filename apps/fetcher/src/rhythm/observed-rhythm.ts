import type { Rhythm, Subscription } from '#core';
import { firstRhythm, learnRhythm } from './learn-rhythm.ts';

/** What a poll found in a feed that it has read. */
interface Observation {
  readonly now: Date;
  /** Whether it brought anything. */
  readonly isChanged: boolean;
  /** When its items were published, in milliseconds since 1970. */
  readonly dates: readonly number[];
  /** `Last-Modified`. */
  readonly lastModified?: string | undefined;
}

/** The rhythm of a feed after a poll; undefined if nothing has to be stored. */
export function observedRhythm(
  { rhythm, last, createdAt }: Pick<Subscription, 'rhythm' | 'last' | 'createdAt'>,
  { now, isChanged, dates, lastModified = '' }: Observation,
): Rhythm | undefined {
  if (rhythm === undefined) return firstRhythm(dates, now);
  if (!isChanged) return undefined;
  const polled = last?.at ?? createdAt;
  const isSeen = (date: number): boolean => date > polled.getTime() && date <= now.getTime();
  const modified = Date.parse(lastModified);
  return learnRhythm(rhythm, polled, now, dates.some(isSeen) ? dates : [modified].filter(isSeen));
}
