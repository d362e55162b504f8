import { eventText } from '#core';
import { Logger } from '@nestjs/common';
import { BaseRpcContext, Server } from '@nestjs/microservices';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { UnrecoverableError } from 'bullmq';
import { EventEmitter } from 'node:events';
import { promises as timers } from 'node:timers';
import { ChangeReader } from '../changes/change-reader.ts';
import type { ChangeReaderOptions } from '../changes/change-reader-options.ts';
import { collectionOf } from '../changes/stream-entry.ts';
import type { Delivery } from '../changes/delivery.ts';
import { finishHandler } from '../handler-call.ts';
import { LimitedLog } from '../limited-log.ts';
import { retryDelay } from '../worker-settings.ts';
import { KeyedTasks } from './keyed-tasks.ts';

export interface ChangeEventServerOptions extends Omit<ChangeReaderOptions, 'signal' | 'partition'> {
  /** The partitions to read (0 alone). */
  readonly partitions?: readonly number[];
  /** What events are handled in order for: their collection, or their item or subscription (`collection`). */
  readonly order?: 'collection' | 'item';
  /** How many handlers run at the same time (10). */
  readonly concurrency?: number;
  /** How often a handler is called with an event before the event becomes a dead event (10). */
  readonly attempts?: number;
  /** The longest wait in milliseconds before a handler that threw is called again (30,000). */
  readonly retryAfterMost?: number;
}

/** Milliseconds between two looks at whether the lock of the consumer is renewed. */
const lookAgainAfter = 50;

/** Milliseconds until an event is moved to the dead events again, if Redis could not store it. */
const buryAgainAfter = 1_000;

type ChangeServerEvents = {
  /** Reading has ended; without a listener the process ends. */
  error: (error: Error) => void;
};

/**
 * The change events as a Nest transport: `@EventPattern('feedmesh.item.updated.v1')` in a
 * `@MessageController()` is called with each event of that type; a pattern that ends in `*` takes every type
 * that begins so (`feedmesh.item.*`). In order per collection or item, at least once: an event is
 * acknowledged when all its handlers have finished. A handler that throws is called again, and later events
 * of that collection or item wait. After `attempts`, or if it throws `UnrecoverableError`, the event becomes
 * a dead event of the group (`listDeadEvents`, `retryDeadEvents`). If lost changes can't be read from the
 * gateway, the reading ends with the event `error` (`ChangeGapError`).
 */
export class ChangeEventServer extends Server<ChangeServerEvents> implements CustomTransportStrategy {
  override readonly transportId = Symbol('feedmesh changes');
  override readonly propagatesEventHandlerErrors = true;
  protected override readonly logger = new Logger(ChangeEventServer.name);
  readonly #limitedLog = new LimitedLog(this.logger);
  readonly #options: ChangeEventServerOptions;
  readonly #tasks: KeyedTasks;
  readonly #stop = new AbortController();
  readonly #listeners = new EventEmitter();
  #readings: Promise<void>[] = [];

  constructor(options: ChangeEventServerOptions) {
    super();
    this.#options = options;
    this.#tasks = new KeyedTasks(options.concurrency ?? 10);
  }

  override listen(callback: (error?: Error) => void): void {
    const { signal } = this.#stop;
    const readers = (this.#options.partitions ?? [0]).map(
      (partition) => new ChangeReader({ ...this.#options, partition, signal }),
    );
    this.#readings = readers.map((reader) => this.#read(reader));
    callback();
  }

  /** Waits for the handlers at work; the events they were called with are acknowledged. */
  override async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#readings);
  }

  override on(event: keyof ChangeServerEvents, listener: ChangeServerEvents['error']): void {
    this.#listeners.on(event, listener);
  }

  /** Not supported: there is nothing to reach behind it. */
  override unwrap(): never {
    throw new Error('ChangeEventServer has nothing to unwrap');
  }

  async #read(reader: ChangeReader): Promise<void> {
    try {
      for await (const delivery of reader.deliveries()) {
        const { event } = delivery;
        const collection = collectionOf(event);
        const key = this.#options.order === 'item' ? `${collection} ${event.subject}` : collection;
        this.#tasks.add(key, () => this.#handle(delivery));
      }
    } catch (error) {
      this.#stop.abort();
      // Outside of this promise, so that it is an uncaught exception where nobody listens.
      process.nextTick(() => this.#listeners.emit('error', error));
    }
  }

  /** Calls the handlers of an event until they have succeeded or failed for good, unless the reading ends. */
  async #handle(delivery: Delivery): Promise<void> {
    let failure: { readonly error: unknown; readonly attempts: number } | undefined;
    for (const handler of this.#handlersOf(delivery.event.type)) {
      const outcome = await this.#finish(handler, delivery);
      if (outcome === 'stopped') return delivery.drop();
      if (outcome !== 'done') failure ??= outcome;
    }
    if (failure === undefined) return delivery.done();
    const { error, attempts } = failure;
    const summary = `${delivery.event.id}, after ${attempts} attempts: ${String(error)}`;
    this.#limitedLog.warn('dead event', summary, 'dead event');
    const letter = {
      event: eventText(delivery.event),
      error: textOf(error),
      attempts,
      at: new Date().toISOString(),
    };
    while (!(await delivery.bury(letter)))
      if (!(await rest(buryAgainAfter, delivery))) return delivery.drop();
  }

  #handlersOf(type: string): MessageHandler[] {
    const fits = (pattern: string): boolean =>
      pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
    return [...this.messageHandlers].filter(([pattern]) => fits(pattern)).map(([, handler]) => handler);
  }

  async #finish(
    handler: MessageHandler,
    delivery: Delivery,
  ): Promise<'done' | 'stopped' | { readonly error: unknown; readonly attempts: number }> {
    const { attempts = 10, retryAfterMost = 30_000 } = this.#options;
    const { event } = delivery;
    const context = new BaseRpcContext([event.id]);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#tasks.step(async () => {
        while (!delivery.isHeld && !delivery.signal.aborted) await rest(lookAgainAfter, delivery);
        if (delivery.signal.aborted) return 'stopped';
        return finishHandler(handler, event, context).then(
          () => 'done' as const,
          (error: unknown) => ({ error }),
        );
      });
      if (typeof outcome === 'string') return outcome;
      const { error } = outcome;
      if (error instanceof UnrecoverableError || attempt >= attempts) return { error, attempts: attempt };
      const name = error instanceof Error ? error.name : 'Error';
      const summary = `${event.id}, attempt ${attempt} of ${attempts}: ${textOf(error)}`;
      this.#limitedLog.warn('handler', summary, name);
      const settings = { backoffFirst: 200, backoffMost: retryAfterMost };
      if (!(await rest(retryDelay(attempt, Math.random(), settings), delivery))) return 'stopped';
    }
  }
}

/** Waits for milliseconds; returns false if the reading ends meanwhile. */
async function rest(milliseconds: number, { signal }: Delivery): Promise<boolean> {
  await timers.setTimeout(milliseconds, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}
