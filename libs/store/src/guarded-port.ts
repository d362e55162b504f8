import { UnavailableError } from '#core';
import { outageReason } from './outage-reason.ts';
import { isOutage } from './outage.ts';
import { currentTrace, withinTrace } from './write-trace.ts';

/**
 * A port whose calls throw `UnavailableError` if MongoDB is away. All of its members are methods that
 * return promises or async iterables.
 * @param refusal why calls can't be made yet; undefined as soon as they can
 */
export function guardedPort<Port extends object>(port: Port, refusal: () => string | undefined): Port {
  const guarded = Array.from(methodsOf(port), ([name, method]) => [
    name,
    guardedMethod(port, method, refusal),
  ]);
  return Object.fromEntries(guarded) as Port;
}

type Method = (...args: unknown[]) => unknown;

/** The methods of an object and of its class, by name. */
function methodsOf(port: object): Map<string, Method> {
  const methods = new Map<string, Method>();
  for (
    let holder: object = port;
    holder !== Object.prototype;
    holder = Object.getPrototypeOf(holder) as object
  ) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      const member: unknown = Reflect.get(port, name);
      if (typeof member === 'function' && name !== 'constructor') methods.set(name, member as Method);
    }
  }
  return methods;
}

function guardedMethod(port: object, method: Method, refusal: () => string | undefined): Method {
  return (...args) =>
    withinTrace(() => {
      const reason = refusal();
      if (reason !== undefined) return rejecting(method, unavailable(reason));
      const result = Reflect.apply(method, port, args);
      if (isAsyncGenerator(result)) return guardedGenerator(result);
      return (result as Promise<unknown>).catch(rethrow);
    });
}

const generatorFunction = Object.getPrototypeOf(async function* () {}) as object;

/** What a method gives that can't be called: a promise that rejects, or a generator that throws. */
function rejecting(method: object, error: Error): unknown {
  return Object.getPrototypeOf(method) === generatorFunction ? failing(error) : Promise.reject(error);
}

// oxlint-disable-next-line require-yield -- it fails before it could yield anything
async function* failing(error: Error): AsyncGenerator<never> {
  throw error;
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* guardedGenerator(generator: AsyncGenerator): AsyncGenerator {
  try {
    yield* generator;
  } catch (error) {
    rethrow(error);
  }
}

function rethrow(error: unknown): never {
  if (!isOutage(error)) throw error;
  throw unavailable(outageReason(error), error);
}

function unavailable(reason: string, cause?: unknown): UnavailableError {
  return new UnavailableError('MongoDB', reason, currentTrace()?.mayHaveWritten ? 'unknown' : 'none', cause);
}
