import { keysInOrder } from './key.ts';
import type { Placed, Steps } from '#core';
import { stepsOf, stepSeparator } from './sibling-order.ts';

/**
 * Keys in ascending order that put items between two siblings (3.2); an absent one is the open end. The same
 * two siblings always give the same keys. Siblings with the same key are in the order of their ids, so a key
 * between two of them names the first: it is the shared key, that id, and a fraction. Neither of the two has
 * to move.
 * @param count how many, from 0
 * @throws RangeError if the key of `before` does not come before that of `after`, or one of them has none
 */
export function* keysBetween(count: number, before?: Placed, after?: Placed): Steps<string[]> {
  if (count === 0) return [];
  const [low, high] = [before && stepsOf(before), after && stepsOf(after)];
  if (low === undefined || high === undefined) return yield* keysInOrder(count, low?.[0], high?.[0]);
  const difference = low.findIndex((step, at) => step !== high[at]);
  const shared = difference < 0 ? low.length : difference;
  // Where two ids differ, everything nested in the first is before the second.
  const isIdDifferent = shared % 2 === 1;
  const depth = isIdDifferent ? shared + 1 : shared;
  const prefix = low
    .slice(0, depth)
    .map((step) => step + stepSeparator)
    .join('');
  const fractions = yield* keysInOrder(count, low[depth], isIdDifferent ? undefined : high[depth]);
  return fractions.map((fraction) => prefix + fraction);
}
