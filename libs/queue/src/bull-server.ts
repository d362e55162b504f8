import { Logger } from '@nestjs/common';
import { BaseRpcContext, Server } from '@nestjs/microservices';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { DelayedError, UnrecoverableError } from 'bullmq';
import type { Job, Telemetry, Worker } from 'bullmq';
import { UnavailableError } from '#core';
import { finishHandler } from './handler-call.ts';
import { checkJob, patternsOf } from './job-check.ts';
import type { WorkQueue } from './job-check.ts';
import { LimitedLog } from './limited-log.ts';
import { ConnectionLog, openRedis } from './redis.ts';
import type { RedisClient, RedisLocation } from './redis.ts';
import { shardPrefixes } from './shards.ts';
import { backoffType, WatchedWorker } from './watched-worker.ts';
import { defaultWorkerSettings, retryDelay } from './worker-settings.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** How the data of a command is kept while it is in the queue, such as without secrets. */
interface CommandKeeping {
  /** Returns the data that its handler gets of what is kept, or was sent. */
  readonly open: (job: CommandJob, data: unknown) => unknown;
  /** Returns what is kept of it; the very same data if nothing is to change. */
  readonly close: (job: CommandJob, data: unknown) => unknown;
  /** Returns what is kept of one that is given up. */
  readonly end: (data: unknown) => unknown;
}

/** A job of the queue `commands`. */
interface CommandJob {
  readonly id: string;
  readonly name: string;
}

export interface BullServerOptions extends RedisLocation {
  /** Leads every key; the braces keep all queues on one node of a cluster (`{feedmesh}`). */
  readonly prefix?: string;
  /** Over how many groups of queues the collections are spread (1); the same for all services. */
  readonly shards?: number;
  /**
   * The queues to work on, each with how many of its jobs run at once; each shard gets its part of them, one
   * at least.
   */
  readonly queues: { readonly [Name in WorkQueue]?: { readonly concurrency: number } };
  readonly settings?: Partial<WorkerSettings>;
  /** Carries traces over the queues. */
  readonly telemetry?: Telemetry;
  /** How the data of commands is kept in Redis from their first attempt on. */
  readonly keeping?: CommandKeeping;
  /**
   * Called for every command that is given up for good: broken data, an unknown name, `UnrecoverableError`
   * from its handler, or no attempt left. Where it throws, the command is tried again, if it may be.
   */
  readonly rejected?: (name: string, data: unknown, reasons: readonly string[]) => Promise<void>;
}

/** The most milliseconds for which a worker of BullMQ waits for a job with one command. */
const blockedFor = 10_000;

/** Jobs and handlers don't fit together; thrown at start. */
export class HandlerError extends Error {
  override readonly name = 'HandlerError';
}

/**
 * BullMQ as a Nest transport: calls the handler of `@MessagePattern` or `@EventPattern` with a job's data,
 * once the data fits its schema. The pattern is the queue's name (`merge`); on the queue `commands` it is
 * `commands.` and the job's name (`commands.subscribe`). Controllers carry `@MessageController()`. A
 * handler that throws is tried again later, unless it throws `UnrecoverableError`; one that throws
 * `UnavailableError` as often as it takes. Every job of the configured queues must have exactly one
 * handler, or `listen` gives `HandlerError`.
 */
export class BullServer extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('bullmq');
  override readonly propagatesEventHandlerErrors = true;
  protected override readonly logger = new Logger(BullServer.name);
  readonly #options: BullServerOptions;
  readonly #settings: WorkerSettings;
  readonly #twice: string[] = [];
  readonly #limitedLog = new LimitedLog(this.logger);
  readonly #workers = new Map<WorkQueue, WatchedWorker[]>();
  #connection: RedisClient | undefined;

  constructor(options: BullServerOptions) {
    super();
    this.#options = options;
    this.#settings = { ...defaultWorkerSettings, ...options.settings };
  }

  override addHandler(
    pattern: unknown,
    handler: MessageHandler,
    isEventHandler?: boolean,
    extras?: Record<string, unknown>,
  ): void {
    const route = this.normalizePattern(pattern as string);
    if (this.messageHandlers.has(route)) this.#twice.push(route);
    super.addHandler(pattern, handler, isEventHandler, extras);
  }

  override listen(callback: (error?: Error) => void): void {
    const queues = Object.keys(this.#options.queues) as WorkQueue[];
    const error = this.#misfit(queues);
    if (error) return callback(error);
    this.#connection = openRedis(
      this.#options,
      { maxRetriesPerRequest: null, socketTimeout: blockedFor + 2_000 },
      new ConnectionLog(BullServer.name),
    );
    for (const queue of queues) this.#workers.set(queue, this.#work(queue, this.#connection));
    callback();
  }

  /**
   * Takes no more jobs, waits for the running ones (at most `closeTimeout`; they are then done again
   * elsewhere), and disconnects.
   */
  override async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].flat().map((worker) => worker.close()));
    this.#workers.clear();
    this.#connection?.disconnect();
    this.#connection = undefined;
  }

  /** Not supported: the log tells of faults. */
  override on(): never {
    throw new Error('BullServer has no events to listen to');
  }

  /** The BullMQ workers by queue, one for each shard. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the signature is Nest's
  override unwrap<T = Map<WorkQueue, Worker[]>>(): T {
    return new Map(
      Array.from(this.#workers, ([queue, workers]) => [queue, workers.map(({ current }) => current)]),
    ) as T;
  }

  #misfit(queues: readonly WorkQueue[]): HandlerError | undefined {
    const wanted = queues.flatMap(patternsOf);
    const faults = [
      ...wanted
        .filter((pattern) => !this.messageHandlers.has(pattern))
        .map((pattern) => `no handler for "${pattern}"`),
      ...[...this.messageHandlers.keys()]
        .filter((pattern) => !wanted.includes(pattern))
        .map((pattern) => `a handler for "${pattern}", which is no job of the queues ${queues.join(', ')}`),
      ...this.#twice.map((pattern) => `more than one handler for "${pattern}"`),
    ];
    return faults.length > 0 ? new HandlerError(faults.join('; ')) : undefined;
  }

  /** The workers of a queue: the commands are in no shard. */
  #work(queue: WorkQueue, connection: RedisClient): WatchedWorker[] {
    const { prefix = '{feedmesh}', shards = 1, queues, telemetry } = this.#options;
    const prefixes = queue === 'commands' ? [prefix] : shardPrefixes(prefix, shards);
    return prefixes.map(
      (shardPrefix) =>
        new WatchedWorker(connection, {
          queue,
          prefix: shardPrefix,
          ...(telemetry && { telemetry }),
          concurrency: Math.ceil((queues[queue]?.concurrency ?? 1) / prefixes.length),
          settings: this.#settings,
          process: (job) => this.#process(queue, job),
          logger: this.logger,
          limitedLog: this.#limitedLog,
        }),
    );
  }

  async #process(queue: WorkQueue, job: Job): Promise<void> {
    // Retrying is the worker's business: a sender in another language need not know of it.
    job.opts.attempts = this.#settings.attempts;
    job.opts.backoff = { type: backoffType };
    try {
      await this.#attempt(queue, job);
    } catch (error) {
      if (error instanceof UnavailableError) await this.#postpone(queue, job, error);
      throw error;
    }
  }

  async #attempt(queue: WorkQueue, job: Job): Promise<void> {
    try {
      await this.#handle(queue, job);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      if (isLast(job, error)) await this.#giveUp(queue, job, error as Error);
      else this.logger.warn(`${queue} ${job.id}, attempt ${job.attemptsMade + 1}: ${String(error)}`);
      throw error;
    }
  }

  /** An outage is no fault of the job: it waits for the end of it, and no attempt is used up. */
  async #postpone(queue: WorkQueue, job: Job, error: UnavailableError): Promise<never> {
    const { backoffFirst, outageBackoff } = this.#settings;
    const wait = retryDelay(job.attemptsStarted, Math.random(), { backoffFirst, backoffMost: outageBackoff });
    this.logger.warn(`${queue} ${job.id} waits: ${error.message}`);
    await job.moveToDelayed(Date.now() + wait, job.token);
    throw new DelayedError();
  }

  async #handle(queue: WorkQueue, job: Job): Promise<void> {
    const check = checkJob(queue, job.name, await this.#take(queue, job));
    if ('reasons' in check) throw new UnrecoverableError(check.reasons.join('; '));
    const handler = this.getHandlerByPattern(check.pattern);
    if (!handler) throw new HandlerError(`no handler for "${check.pattern}"`);
    await finishHandler(handler, check.data, new BaseRpcContext([queue, job.id]));
  }

  /** The data of a job for its handler; from now on Redis has what is to be kept of it. */
  async #take(queue: WorkQueue, job: Job): Promise<unknown> {
    const data: unknown = job.data;
    const { keeping } = this.#options;
    if (queue !== 'commands' || keeping === undefined) return data;
    const command = { id: String(job.id), name: job.name };
    const kept = keeping.close(command, data);
    if (kept !== data) await job.updateData(kept);
    return keeping.open(command, data);
  }

  async #giveUp(queue: WorkQueue, job: Job, error: Error): Promise<void> {
    // What is refused is the sender's fault, and its message says all of it.
    if (isUnrecoverable(error)) this.logger.warn(`${queue} ${job.id} refused: ${error.message}`);
    else
      this.logger.error(
        `${queue} ${job.id} given up after ${job.attemptsMade + 1} attempts: ${error.stack ?? error.message}`,
      );
    if (queue !== 'commands') return;
    await this.#options.rejected?.(job.name, job.data, [error.message]);
    if (this.#options.keeping !== undefined) await job.updateData(this.#options.keeping.end(job.data));
  }
}

function isLast(job: Job, error: unknown): boolean {
  return isUnrecoverable(error) || job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
}

function isUnrecoverable(error: unknown): boolean {
  return error instanceof UnrecoverableError || (error as Error).name === 'UnrecoverableError';
}
