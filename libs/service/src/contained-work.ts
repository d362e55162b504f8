import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { LoggerService } from '@nestjs/common';

/** Ends a piece of work with an error that nothing in it has caught. Must not throw. */
type Fail = (error: unknown) => void;

/** The part of a process that tells of errors that nothing has caught. */
export interface FaultyProcess {
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
  exit(code: number): unknown;
}

const works = new AsyncLocalStorage<Fail>();

/**
 * Runs work whose uncaught errors end the work and not the process: those that it throws, and, in a process
 * with `endOnFaults`, those of every callback, timer and promise that it has started.
 */
export function contain(fail: Fail, work: () => void): void {
  works.run(fail, () => {
    try {
      work();
    } catch (error) {
      fail(error);
    }
  });
}

/**
 * Runs all listeners of an emitter as a part of the same work. Node emits much of what happens to a
 * connection outside of the work that listens to it.
 */
export function containEvents(emitter: EventEmitter, fail: Fail): void {
  const emit = emitter.emit.bind(emitter) as (...values: unknown[]) => boolean;
  emitter.emit = (...values: unknown[]): boolean => {
    let isHeard = true;
    contain(fail, () => (isHeard = emit(...values)));
    return isHeard;
  };
}

/** Ends the work that this code is a part of with an error. Throws the error outside of such work. */
export function failWork(error: unknown): void {
  const fail = works.getStore();
  if (fail === undefined) throw error;
  fail(error);
}

/**
 * Ends the work in which an exception or a rejected promise was not caught. Outside of such work, the state
 * of the process is unknown: it logs the error and ends with 1, so that it is started again.
 */
export function endOnFaults(logger: Pick<LoggerService, 'fatal'>, host: FaultyProcess): void {
  host.on('uncaughtException', (error) => {
    const fail = works.getStore();
    if (fail !== undefined) return fail(error);
    logger.fatal?.('an error that nothing has caught; ending', error);
    host.exit(1);
  });
}
