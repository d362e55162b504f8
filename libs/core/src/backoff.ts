import type { Subscription } from './subscription.ts';

/**
 * Returns how many seconds a subscription waits after a failure, before its longest interval and jitter
 * are taken into account: twice as many with each failure in a row.
 */
export function backoffSeconds({ interval, failures }: Pick<Subscription, 'interval' | 'failures'>): number {
  return interval.minimum * 2 ** Math.min(failures, 30);
}
