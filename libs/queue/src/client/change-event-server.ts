import type { ChangeEvent } from '#contracts';
import { Logger } from '@nestjs/common';
import { BaseRpcContext, Server } from '@nestjs/microservices';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { UnrecoverableError } from 'bullmq';
import { promises as timers } from 'node:timers';
import { readChanges } from '../change-reader.ts';
import type { ChangeReaderOptions } from '../change-reader.ts';
import { finishHandler } from '../handler-call.ts';
import { retryDelay } from '../worker-settings.ts';

export interface ChangeEventServerOptions extends Omit<ChangeReaderOptions, 'signal' | 'partition'> {
  /** The partitions to read (0 alone). */
  readonly partitions?: readonly number[];
  /** The longest wait in milliseconds before a handler that threw is called again (30,000). */
  readonly retryAfterMost?: number;
}

/**
 * The change events as a Nest transport: `@EventPattern('feedmesh.item.updated.v1')` in a
 * `@MessageController()` is called with each event of that type; a pattern that ends in `*` takes every type
 * that begins so (`feedmesh.item.*`). In order per collection, at least once: an event is acknowledged when
 * all its handlers have finished. A handler that throws is called again, and later events wait, until it
 * succeeds, or throws `UnrecoverableError` to give the event up.
 */
export class ChangeEventServer extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('feedmesh changes');
  override readonly propagatesEventHandlerErrors = true;
  protected override readonly logger = new Logger(ChangeEventServer.name);
  readonly #options: ChangeEventServerOptions;
  readonly #stop = new AbortController();
  #readings: Promise<void>[] = [];

  constructor(options: ChangeEventServerOptions) {
    super();
    this.#options = options;
  }

  override listen(callback: (error?: Error) => void): void {
    this.#readings = (this.#options.partitions ?? [0]).map((partition) => this.#read(partition));
    callback();
  }

  /** Waits for the handlers at work; the events they were called with are acknowledged. */
  override async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#readings);
  }

  /** Not supported: the log tells of faults. */
  override on(): never {
    throw new Error('ChangeEventServer has no events to listen to');
  }

  /** Not supported: there is nothing to reach behind it. */
  override unwrap(): never {
    throw new Error('ChangeEventServer has nothing to unwrap');
  }

  async #read(partition: number): Promise<void> {
    const { signal } = this.#stop;
    for await (const event of readChanges({ ...this.#options, partition, signal })) {
      for (const handler of this.#handlersOf(event.type)) {
        if (!(await this.#finish(handler, event))) return;
      }
    }
  }

  #handlersOf(type: string): MessageHandler[] {
    const fits = (pattern: string): boolean =>
      pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
    return [...this.messageHandlers].filter(([pattern]) => fits(pattern)).map(([, handler]) => handler);
  }

  /** Returns false if it was stopped before the handler succeeded. */
  async #finish(handler: MessageHandler, event: ChangeEvent): Promise<boolean> {
    const { signal } = this.#stop;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await finishHandler(handler, event, new BaseRpcContext([event.id]));
        return true;
      } catch (error) {
        this.logger.error(`${event.id}, attempt ${attempt}: ${(error as Error).stack}`);
        if (error instanceof UnrecoverableError) return true;
      }
      if (signal.aborted) return false;
      const wait = retryDelay(attempt, Math.random(), {
        backoffFirst: 200,
        backoffMost: this.#options.retryAfterMost ?? 30_000,
      });
      await timers.setTimeout(wait, undefined, { signal }).catch(() => {});
      if (signal.aborted) return false;
    }
  }
}
