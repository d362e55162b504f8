import type { LoggerService } from '@nestjs/common';
import { LatestEntries } from '#core';

/** Milliseconds between two lines about one cause. */
const usualPause = 60_000;

/** How many causes are distinguished; of more, the one seen first is forgotten. */
const mostCauses = 100;

interface Cause {
  /** When it was last written, by `performance.now()`. */
  at: number;
  /** How often it has come since then. */
  suppressed: number;
}

/**
 * Writes the first line about a cause at once, and then at most one a minute, which says how many were left
 * out. Lines are of one cause if they begin with the same error code of Redis (`READONLY`), or if they
 * only differ in their numbers.
 */
export class LimitedLog {
  readonly #logger: Pick<LoggerService, 'log' | 'warn'>;
  readonly #pause: number;
  readonly #causes = new LatestEntries<string, Cause>(mostCauses);

  /** @param pause milliseconds between two lines about one cause */
  constructor(logger: Pick<LoggerService, 'log' | 'warn'>, pause = usualPause) {
    this.#logger = logger;
    this.#pause = pause;
  }

  /**
   * @param about what the message concerns; stands in front of it
   * @param cause what makes messages one cause; by default their text
   */
  warn(about: string, message: string, cause = causeOf(message)): void {
    this.#write('warn', about, message, cause);
  }

  log(about: string, message: string): void {
    this.#write('log', about, message, causeOf(message));
  }

  #write(level: 'log' | 'warn', about: string, message: string, cause: string): void {
    const key = `${level} ${about} ${cause}`;
    const now = performance.now();
    const known = this.#causes.get(key);
    if (known !== undefined && now - known.at < this.#pause) {
      known.suppressed += 1;
      return;
    }
    const more = known?.suppressed ? ` (${known.suppressed} more since the last line about this)` : '';
    this.#logger[level](`${about}: ${message}${more}`);
    this.#causes.set(key, { at: now, suppressed: 0 });
  }
}

function causeOf(message: string): string {
  return /^(?!ERR )[A-Z]{3,} /.exec(message)?.[0] ?? message.replace(/\d+/g, '0');
}
