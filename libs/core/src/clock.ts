/**
 * The time of day. Only `when`, schedules and reports are taken from it; no decision about data rests on it.
 */
export interface Clock {
  now(): Date;
  /** Resolves after about this many milliseconds. */
  wait(milliseconds: number): Promise<void>;
}

/** Where random comes from, so that a simulation can replay it. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number;
  /** A fresh identifier: 32 lower-case hexadecimal digits, unique for all practical purposes. */
  identifier(): string;
}
