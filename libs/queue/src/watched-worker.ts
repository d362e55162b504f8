import type { LoggerService } from '@nestjs/common';
import type { Job, Telemetry, Worker } from 'bullmq';
import type { LimitedLog } from './limited-log.ts';
import { PatientWorker } from './patient-worker.ts';
import { isConnectionFault } from './redis.ts';
import type { RedisClient } from './redis.ts';
import { withTimeout } from './time-limit.ts';
import { retryDelay } from './worker-settings.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** What a worker needs to know. */
interface WatchedWorkerOptions {
  readonly queue: string;
  readonly prefix: string;
  readonly concurrency: number;
  readonly settings: WorkerSettings;
  readonly telemetry?: Telemetry;
  readonly process: (job: Job) => Promise<void>;
  readonly logger: LoggerService;
  /** For what may come again and again. */
  readonly limitedLog: LimitedLog;
}

/** The name of our backoff; BullMQ's own exponential one has no upper end. */
export const backoffType = 'capped';

/** A BullMQ worker that is replaced when it takes nothing although it could and jobs wait. */
export class WatchedWorker {
  #worker: PatientWorker;
  #running = 0;
  #lastSign = performance.now();
  #looking = false;
  readonly #watch: NodeJS.Timeout;
  readonly #connection: RedisClient;
  readonly #options: WatchedWorkerOptions;

  constructor(connection: RedisClient, options: WatchedWorkerOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#worker = this.#start();
    this.#watch = setInterval(() => void this.#look(), options.settings.stuckAfter / 4).unref();
  }

  /** The BullMQ worker at this moment. */
  get current(): Worker {
    return this.#worker;
  }

  /**
   * Takes no more jobs and waits for the running ones, at most `closeTimeout`; those left are done again
   * elsewhere.
   */
  async close(): Promise<void> {
    const { queue, settings, logger } = this.#options;
    clearInterval(this.#watch);
    try {
      // Pausing is what waits: a close that waits could not be cut short any more. Without Redis no job can
      // be ended.
      if (this.#connection.status === 'ready')
        await withTimeout(settings.closeTimeout, 'closeTimeout', this.#worker.pause());
    } catch (error) {
      logger.warn(`${queue}: closing without its running jobs: ${String(error)}`);
    }
    await this.#worker.close(true);
  }

  #start(): PatientWorker {
    const { queue, prefix, concurrency, settings, telemetry, limitedLog } = this.#options;
    const worker = new PatientWorker(queue, (job) => this.#process(job), {
      connection: this.#connection,
      ...(telemetry && { telemetry }),
      prefix,
      concurrency,
      lockDuration: settings.lockDuration,
      stalledInterval: settings.stalledInterval,
      maxStalledCount: settings.maxStalledCount,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: settings.keepFailed },
      runRetryDelay: 1_000,
      settings: { backoffStrategy: (attempt) => retryDelay(attempt, Math.random(), settings) },
    });
    worker.on('error', (error) => {
      // Faults of the network are logged by the connection.
      if (!isConnectionFault(error)) limitedLog.warn(queue, error.message);
    });
    return worker;
  }

  async #process(job: Job): Promise<void> {
    this.#running += 1;
    this.#lastSign = performance.now();
    try {
      await this.#options.process(job);
    } finally {
      this.#running -= 1;
      this.#lastSign = performance.now();
    }
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      if (!(await this.#isNeeded())) this.#lastSign = performance.now();
      else if (performance.now() - this.#lastSign > this.#options.settings.stuckAfter) this.#replace();
    } catch {
      // Redis is away; the next look will tell.
    } finally {
      this.#looking = false;
    }
  }

  /** Whether there is work that this worker could take. */
  async #isNeeded(): Promise<boolean> {
    const { queue, prefix, concurrency } = this.#options;
    if (this.#running >= concurrency || this.#connection.status !== 'ready') return false;
    const waiting = await this.#connection.llen(`${prefix}:${queue}:wait`);
    return waiting > 0 && (await this.#connection.hexists(`${prefix}:${queue}:meta`, 'paused')) === 0;
  }

  #replace(): void {
    const { queue, settings, logger } = this.#options;
    logger.error(
      `${queue}: jobs wait but the worker has taken none for ${settings.stuckAfter} ms (stuckAfter); ` +
        'replacing it',
    );
    const stuck = this.#worker;
    this.#worker = this.#start();
    this.#lastSign = performance.now();
    stuck.close(this.#running === 0).catch((error: unknown) => logger.warn(`${queue}: ${String(error)}`));
  }
}
