import type { JobQueue, PublishBacklog } from '#core';
import type { Command, Job, QueueName } from '#contracts';
import { jobSchemas } from '#contracts';
import { Queue } from 'bullmq';
import { checkJob } from './job-check.ts';
import { RedisPublishBacklog } from './publish-backlog.ts';
import { openRedis } from './redis.ts';
import { withTimeout } from './time-limit.ts';

export interface JobQueueOptions {
  readonly redisUrl: string;
  /** `{feedmesh}` by default. */
  readonly prefix?: string;
  /** Milliseconds until a step that Redis does not answer throws `TimeLimitError` (10,000). */
  readonly sendTimeout?: number;
}

/** After how many milliseconds the key of a check is gone. */
const checkExpiry = 10_000;

/** Data that does not fit the schema of its command or queue, with every reason. */
export class JobDataError extends Error {
  override readonly name = 'JobDataError';
  readonly reasons: readonly string[];
  constructor(job: string, reasons: readonly string[]) {
    super(`${job}: ${reasons.join('; ')}`);
    this.reasons = reasons;
  }
}

/** The sending side of the queues. */
export interface BullQueue extends JobQueue, PublishBacklog {
  /** Puts a command into the queue `commands`. Throws `JobDataError`. */
  command(command: Command): Promise<void>;
  /** Throws if Redis does not answer. */
  ping(): Promise<void>;
  /** Throws the reason unless Redis stores a small key, which expires by itself. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The queues on BullMQ. `deduplicate`: while an equal job waits, the new one is dropped; while an equal one
 * runs, the new one is run after it; what a job to publish is about is kept before it is sent. `backlog`
 * counts the jobs that wait, those for another attempt included.
 */
export function openJobQueue({
  redisUrl,
  prefix = '{feedmesh}',
  sendTimeout = 10_000,
}: JobQueueOptions): BullQueue {
  const connection = openRedis(redisUrl, 'JobQueue', { maxRetriesPerRequest: 3 });
  const publishBacklog = new RedisPublishBacklog(connection, prefix);
  const open = (name: string): Queue => {
    const queue = new Queue(name, { connection, prefix });
    // The connection logs its faults, and whoever called gets theirs.
    queue.on('error', () => {});
    return queue;
  };
  const queues = new Map<string, Queue>(
    [...Object.keys(jobSchemas), 'commands'].map((name) => [name, open(name)]),
  );
  const named = (name: QueueName | 'commands'): Queue => queues.get(name) as Queue;
  const limited = <T>(promise: Promise<T>): Promise<T> => withTimeout(sendTimeout, 'sendTimeout', promise);

  return {
    async send(jobs) {
      const names = [...new Set(jobs.map((job) => job.queue))];
      await limited(
        Promise.all([
          publishBacklog.add(jobs),
          ...names.map((name) => named(name).addBulk(jobs.filter((job) => job.queue === name).map(entry))),
        ]),
      );
    },
    async requested(collection, limit) {
      return limited(publishBacklog.requested(collection, limit));
    },
    async published(collection, requests) {
      await limited(publishBacklog.published(collection, requests));
    },
    async backlog(queue) {
      return limited(named(queue).getJobCountByTypes('wait', 'prioritized', 'delayed'));
    },
    async command({ name, data }) {
      const check = checkJob('commands', name, data);
      if ('reasons' in check) throw new JobDataError(name, check.reasons);
      await limited(named('commands').add(name, check.data));
    },
    async ping() {
      await limited(connection.ping());
    },
    async check() {
      await limited(connection.set(`${prefix}:check`, Date.now(), 'PX', checkExpiry));
    },
    async close() {
      await Promise.allSettled(
        [...queues.values()].map((queue) => withTimeout(sendTimeout, 'sendTimeout', queue.close())),
      );
      connection.disconnect();
    },
  };
}

function entry({ queue, data, deduplicate }: Job): { name: string; data: unknown; opts: object } {
  return {
    name: queue,
    data,
    opts: deduplicate === undefined ? {} : { deduplication: { id: deduplicate, keepLastIfActive: true } },
  };
}
