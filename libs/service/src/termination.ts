import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { INestApplication, LoggerService } from '@nestjs/common';
import { Shutdown } from './shutdown.ts';

/** The part of a process that its end is made of. */
export interface EndingProcess {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): unknown;
}

/** How long the end of a service takes, in milliseconds. */
interface EndingTimes {
  /** From its announcement until no more work is taken. */
  readonly delay: number;
  /** For what is in progress then. */
  readonly grace: number;
}

/** How many milliseconds closing the databases may take. */
const closeLimit = 5_000;

/**
 * Ends the service and the process with SIGTERM, SIGINT or SIGHUP: with exit code 0, or 1 if it does not
 * end in its time. A second signal ends the process at once.
 */
export function endOnSignals(
  application: INestApplication,
  { delay, grace }: EndingTimes,
  logger: Pick<LoggerService, 'log' | 'error'>,
  host: EndingProcess,
): void {
  let isEnding = false;
  const end = async (): Promise<void> => {
    application.get(Shutdown).announce();
    if (delay > 0) await wait(delay);
    const timer = setTimeout(() => {
      logger.error(`not closed ${(grace + closeLimit) / 1000} s after the end began; leaving it`);
      host.exit(1);
    }, grace + closeLimit);
    await application.close();
    clearTimeout(timer);
    host.exit(0);
  };
  const begin = (signal: NodeJS.Signals): void => {
    isEnding = true;
    logger.log(`${signal}: ending`);
    end().catch((error: unknown) => {
      logger.error('could not be closed', error);
      host.exit(1);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    host.on(signal, () => {
      if (isEnding) host.exit(128 + constants.signals[signal]);
      else begin(signal);
    });
  }
}
