import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Server, Socket } from 'node:net';

type Handler = (...values: never[]) => unknown;

/** How a hook fails: by an exception, or by a promise that is rejected. */
export type Failure = 'throw' | 'reject';

/** What the error of each hook says. */
export const thrown = 'thrown by a test';

const hits = new Set<string>();
let armed: { readonly name: string; readonly failure: Failure } | undefined;

/** The hooks that were called since they were forgotten, in this order. */
export function hitHooks(): string[] {
  return [...hits];
}

/** Begins anew to note which hooks are called. */
export function forgetHits(): void {
  hits.clear();
}

/** Has the next call of a hook fail. */
export function arm(name: string, failure: Failure): void {
  hits.clear();
  armed = { name, failure };
}

/** Whether the hook that was armed last has not been called yet; it does not fail any more. */
export function disarm(): boolean {
  const wasArmed = armed !== undefined;
  armed = undefined;
  return wasArmed;
}

/** A handler that is known under a name, and fails in place of being called when it is armed. */
export function hook<Hooked extends Handler>(name: string, handler: Hooked): Hooked {
  const hooked = function (this: unknown, ...values: never[]): unknown {
    hits.add(name);
    if (armed?.name !== name) return Reflect.apply(handler, this, values) as unknown;
    const { failure } = armed;
    armed = undefined;
    if (failure === 'reject') return Promise.reject(new Error(`${thrown}: ${failure} ${name}`));
    throw new Error(`${thrown}: ${failure} ${name}`);
  };
  // Express distinguishes handlers of errors by their length, and events find listeners by this member.
  Object.defineProperty(hooked, 'length', { value: handler.length });
  return Object.assign(hooked, handler, { listener: handler }) as Handler as Hooked;
}

/** The place in the product from which a function of Node is called; undefined for another caller. */
function caller(): string | undefined {
  const lines = (new Error().stack ?? '').split('\n').slice(3);
  const between = /throwing-gateway|node:(?:events|internal\/streams)/;
  const frame = lines.find((line) => !between.test(line));
  return /dist\/((?:apps|libs)\/[^):]+)\.js:(\d+)/
    .exec(frame ?? '')
    ?.slice(1)
    .join(':');
}

function kindOf(emitter: unknown): string | undefined {
  if (emitter instanceof ServerResponse) return 'response';
  if (emitter instanceof IncomingMessage) return 'request';
  if (emitter instanceof Server) return 'server';
  return emitter instanceof Socket ? 'socket' : undefined;
}

/** Makes hooks of what the product, once it is loaded, listens to. */
export function hookEvents(): void {
  const events = EventEmitter.prototype as unknown as Record<string, Handler>;
  for (const method of ['on', 'addListener', 'prependListener']) {
    const add = events[method] as (event: string, listener: Handler) => unknown;
    events[method] = function (this: unknown, event: string, listener: Handler): unknown {
      const [kind, place] = [kindOf(this), caller()];
      const isHook = kind !== undefined && place !== undefined;
      const name = `${kind} ${event} ${place}`;
      return add.call(this, event, isHook ? hook(name, listener) : listener);
    };
  }
}

/** Makes hooks of the timers that the product sets from now on. */
export function hookTimers(): void {
  const timers = globalThis as unknown as Record<string, Handler>;
  for (const method of ['setTimeout', 'setInterval', 'setImmediate']) {
    const add = timers[method] as (...values: unknown[]) => unknown;
    const added = (handler: Handler, ...values: unknown[]): unknown => {
      const place = caller();
      return add(place === undefined ? handler : hook(`${method} ${place}`, handler), ...values);
    };
    timers[method] = Object.assign(added, add) as Handler;
  }
}
