import type { Command } from '#contracts';
import type { Telemetry } from 'bullmq';
import { checkJob } from './job-check.ts';
import { openQueue } from './open-queue.ts';
import { ConnectionLog, openRedis } from './redis.ts';
import type { RedisLocation } from './redis.ts';
import { withTimeout } from './time-limit.ts';

export interface CommandQueueOptions extends RedisLocation {
  /** `{feedmesh}` by default. */
  readonly prefix?: string;
  /** Milliseconds until a step that Redis does not answer throws `TimeLimitError` (10,000). */
  readonly sendTimeout?: number;
  /** Carries traces over the queue. */
  readonly telemetry?: Telemetry;
}

/** Data that does not fit the schema of its command, with every reason. */
export class JobDataError extends Error {
  override readonly name = 'JobDataError';
  readonly reasons: readonly string[];
  constructor(job: string, reasons: readonly string[]) {
    super(`${job}: ${reasons.join('; ')}`);
    this.reasons = reasons;
  }
}

/** The sending side of the queue `commands`. */
export interface CommandQueue {
  /** Puts a command into the queue. Throws `JobDataError`. */
  send(command: Command): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the queue `commands` alone, so that a user of Redis needs no other. Throws `RedisAddressError`.
 */
export function openCommandQueue({
  prefix = '{feedmesh}',
  sendTimeout = 10_000,
  telemetry,
  ...location
}: CommandQueueOptions): CommandQueue {
  const connection = openRedis(location, { maxRetriesPerRequest: 3 }, new ConnectionLog('CommandQueue'));
  const queue = openQueue('commands', { connection, prefix, ...(telemetry && { telemetry }) });
  return {
    async send({ name, data }) {
      const check = checkJob('commands', name, data);
      if ('reasons' in check) throw new JobDataError(name, check.reasons);
      await withTimeout(sendTimeout, 'sendTimeout', queue.add(name, check.data));
    },
    async close() {
      await withTimeout(sendTimeout, 'sendTimeout', queue.close()).catch(() => {});
      connection.disconnect();
    },
  };
}
