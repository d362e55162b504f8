import type { LoggerService } from '@nestjs/common';
import type { Job, Telemetry, Worker } from 'bullmq';
import type { LimitedLog } from './limited-log.ts';
import { OrphanedJobs } from './orphaned-jobs.ts';
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

/**
 * A BullMQ worker that is replaced when it takes nothing although it could and jobs wait, and that gives back
 * the jobs which Redis takes for its own although it has ended them.
 */
export class WatchedWorker {
  #worker: PatientWorker;
  readonly #running = new Set<Job>();
  #lastSign = performance.now();
  #looking = false;
  readonly #watch: NodeJS.Timeout;
  readonly #orphans: OrphanedJobs;
  readonly #orphanSearch: NodeJS.Timeout;
  readonly #connection: RedisClient;
  readonly #options: WatchedWorkerOptions;

  constructor(connection: RedisClient, options: WatchedWorkerOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#worker = this.#start();
    this.#watch = setInterval(() => void this.#look(), options.settings.stuckAfter / 4).unref();
    this.#orphans = new OrphanedJobs(connection, `${options.prefix}:${options.queue}`);
    const pause = options.settings.stalledInterval / 2;
    this.#orphanSearch = setInterval(() => void this.#releaseOrphans(), pause).unref();
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
    clearInterval(this.#orphanSearch);
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
    this.#running.add(job);
    this.#lastSign = performance.now();
    try {
      await this.#options.process(job);
    } finally {
      this.#running.delete(job);
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
    if (this.#running.size >= concurrency || this.#connection.status !== 'ready') return false;
    const waiting = await this.#connection.llen(`${prefix}:${queue}:wait`);
    return waiting > 0 && (await this.#connection.hexists(`${prefix}:${queue}:meta`, 'paused')) === 0;
  }

  async #releaseOrphans(): Promise<void> {
    const { queue, limitedLog } = this.#options;
    const running = (id: string): boolean => [...this.#running].some((job) => job.id === id);
    try {
      if (this.#connection.status !== 'ready') return;
      const released = await this.#orphans.release(this.#worker.id, running);
      if (released.length > 0)
        limitedLog.warn(queue, `jobs whose end Redis has lost: ${released.join(', ')}`);
    } catch {
      // Redis is away; the next search will tell.
    }
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
    stuck
      .close(this.#running.size === 0)
      .catch((error: unknown) => logger.warn(`${queue}: ${String(error)}`));
  }
}
