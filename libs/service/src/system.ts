import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** The time of this machine. */
export const systemClock = {
  now: (): Date => new Date(),
  wait: (milliseconds: number): Promise<void> => wait(milliseconds),
};

/** The largest range that `randomInt` has, which gets many numbers from the system at once. */
const fractions = 2 ** 48 - 1;

/** Random from the operating system. */
export const systemRandom = {
  /** From 0 (included) to 1 (excluded). */
  fraction: (): number => randomInt(fractions) / fractions,
  /** 32 hexadecimal digits. */
  identifier: (): string => randomBytes(16).toString('hex'),
};
