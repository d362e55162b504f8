import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** The time of this machine. */
export const systemClock = {
  now: (): Date => new Date(),
  wait: (milliseconds: number): Promise<void> => wait(milliseconds),
};

/** Random from the operating system. */
export const systemRandom = {
  /** From 0 (included) to 1 (excluded). */
  fraction: (): number => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  /** 32 hexadecimal digits. */
  identifier: (): string => randomBytes(16).toString('hex'),
};
