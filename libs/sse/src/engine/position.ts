import type { Placed } from '#core';

/** Whether an item has yet to be given a key, or to learn that it keeps the one it has. */
export function isWaiting({ position }: Placed): boolean {
  return position.after !== undefined || position.key === undefined;
}
