import { UnavailableError } from '#core';
import type { Elections } from './elections.ts';
import { outageReason } from './outage-reason.ts';
import { isOutage } from './outage.ts';
import { currentTrace, traceCall } from './write-trace.ts';
import type { CallTrace, Trace } from './write-trace.ts';

/** What calls of a port wait for. */
export interface Gate {
  /** Why calls can't be made yet; undefined as soon as they can. */
  readonly refusal: () => string | undefined;
  /** Whose answers are believed only once a majority has confirmed them; without it, any primary's. */
  readonly elections?: Pick<Elections, 'primary' | 'isConfirmed' | 'confirmed'>;
  /** Throws if MongoDB does not answer. */
  readonly ping?: () => Promise<void>;
}

/**
 * A port whose calls throw `UnavailableError` if MongoDB is away. All of its members are async methods or
 * async generators. A call waits until the primary is confirmed. If another one is elected during a call that
 * only reads, what was read may be of the past, so the call is made once more; a generator that has given
 * something throws. In work that is to be answered first, a call is made after a ping if no other one was
 * answered.
 * @param reads methods that only read: they are an answer themselves
 */
export function guardedPort<Port extends object>(
  port: Port,
  gate: Gate,
  reads: readonly (keyof Port)[] = [],
): Port {
  const { ping: _ping, ...withoutPing } = gate;
  const gateOf = (name: string): Gate => (reads.includes(name as keyof Port) ? withoutPing : gate);
  const guarded = Array.from(methodsOf(port), ([name, method]) => [
    name,
    guardedMethod(port, method, gateOf(name)),
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

const generatorFunction = Object.getPrototypeOf(async function* () {}) as object;

function guardedMethod(port: object, method: Method, gate: Gate): Method {
  const call = (args: unknown[]): unknown => Reflect.apply(method, port, args);
  if (Object.getPrototypeOf(method) === generatorFunction)
    return (...args) => guardedGenerator(() => call(args) as AsyncGenerator, gate);
  return (...args) => {
    // What a stream has given is gone.
    const isRepeatable = !args.some(isStream);
    return traceCall((trace) => guardedCall(() => call(args), isRepeatable, gate, trace));
  };
}

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function guardedCall(
  call: () => unknown,
  isRepeatable: boolean,
  gate: Gate,
  trace: CallTrace,
): Promise<unknown> {
  for (;;) {
    const primary = await believed(gate, trace);
    const isValid = (): boolean => trace.hasBegun || primary === gate.elections?.primary;
    try {
      if (trace.isUnanswered) await gate.ping?.();
      const result = await call();
      trace.answered();
      if (isValid()) return result;
    } catch (error) {
      if (isOutage(error)) throw unavailable(trace, outageReason(error), error);
      if (isValid()) throw error;
    }
    if (!isRepeatable) throw unavailable(trace, elected);
  }
}

async function* guardedGenerator(call: () => AsyncGenerator, gate: Gate): AsyncGenerator {
  for (let hasGiven = false; ;) {
    const primary = await believed(gate, currentTrace());
    const isValid = (): boolean => primary === gate.elections?.primary;
    try {
      for await (const value of call()) {
        if (!isValid()) break;
        hasGiven = true;
        yield value;
      }
      if (isValid()) return;
    } catch (error) {
      if (isOutage(error)) throw unavailable(currentTrace(), outageReason(error), error);
      if (isValid()) throw error;
    }
    if (hasGiven) throw unavailable(currentTrace(), elected);
  }
}

/** Waits for a primary whose answers can be believed, and returns its number. */
async function believed({ refusal, elections }: Gate, trace?: Trace): Promise<number | undefined> {
  const reason = refusal();
  if (reason !== undefined) throw unavailable(trace, reason);
  if (elections?.isConfirmed === false)
    await elections.confirmed().catch((error: Error) => {
      throw unavailable(trace, error.message);
    });
  return elections?.primary;
}

const elected = 'another primary was elected while this was read';

function unavailable(trace: Trace | undefined, reason: string, cause?: unknown): UnavailableError {
  return new UnavailableError('MongoDB', reason, trace?.mayHaveWritten ? 'unknown' : 'none', cause);
}
