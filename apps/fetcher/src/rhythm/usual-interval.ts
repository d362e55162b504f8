import type { Subscription } from '#core';
import { rhythmInterval } from './rhythm-interval.ts';
import { rhythmReason } from './rhythm-reason.ts';

/**
 * When a feed is polled next by its rhythm alone, and why.
 * @param fraction random, from 0 (included) to 1 (excluded)
 */
export function usualInterval(
  { rhythm, interval }: Pick<Subscription, 'rhythm' | 'interval'>,
  { now, fraction }: { readonly now: Date; readonly fraction: number },
): { readonly seconds: number; readonly reason: string } {
  const { seconds, expected } = rhythmInterval(rhythm, now, interval.maximum, fraction);
  return { seconds, reason: rhythmReason(rhythm, expected) };
}
