import { UnavailableError } from '#core';

/** A fault that the simulation made: the process died there. */
export class CrashError extends UnavailableError {
  constructor(where: string) {
    super('MongoDB', where, 'unknown');
  }
}

/** What may go wrong at a call of a port. */
export interface Faults {
  /** Asked twice for each call. */
  readonly dies: () => boolean;
  /** Runs before the response arrives: by then it may be out of date. */
  readonly meanwhile: () => Promise<void>;
}

/**
 * The same port, in which any call may fail: before it has done anything, or after it has done all of it and
 * nobody heard.
 */
export function faulty<Port extends object>(port: Port, faults: Faults): Port {
  const { dies, meanwhile } = faults;
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member === 'object' && member !== null) return faulty(member, faults);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]): unknown => {
        if (dies()) return failed(`before ${String(name)}`);
        const answer: unknown = Reflect.apply(member, target, parameters);
        if (!(answer instanceof Promise)) return answer;
        const heard = answer.then(async (value: unknown) => {
          if (dies()) throw new CrashError(`after ${String(name)}`);
          await meanwhile();
          return value;
        });
        // Who has died at another call meanwhile hears nothing of this one.
        heard.catch(() => {});
        return heard;
      };
    },
  });
}

/** What a call gives that fails, whether it is awaited or iterated: a port never throws at once. */
function failed(where: string): Promise<never> & AsyncIterable<never> {
  const failure = Promise.reject(new CrashError(where));
  // Who has died at another call meanwhile hears nothing of this one.
  failure.catch(() => {});
  return Object.assign(failure, {
    [Symbol.asyncIterator]: () => ({ next: () => failure }),
  });
}
