import type { CollectionKey, FetchHistory, JobQueue } from '#core';
import type { Job, QueueName } from '#contracts';
import { jobSchemas } from '#contracts';
import type { Queue, QueueOptions, Telemetry } from 'bullmq';
import { besideStream, changeStream } from './changes/change-stream-keys.ts';
import { openQueue } from './open-queue.ts';
import { readQueueDepths } from './queue-depth.ts';
import type { QueueDepth } from './queue-depth.ts';
import { checkRedis } from './redis-check.ts';
import { RedisFetchHistory } from './redis-fetch-history.ts';
import { ConnectionLog, openRedis } from './redis.ts';
import type { RedisClient, RedisLocation } from './redis.ts';
import { shardPrefixes } from './shards.ts';
import { placeOf } from './spread.ts';
import { withTimeout } from './time-limit.ts';

export interface JobQueueOptions extends RedisLocation {
  /** `{feedmesh}` by default. */
  readonly prefix?: string;
  /** Over how many groups of queues the collections are spread (1); the same for all services. */
  readonly shards?: number;
  /** Milliseconds until a step that Redis does not answer throws `TimeLimitError` (10,000). */
  readonly sendTimeout?: number;
  /** How many event streams `check` looks at too (0): a service that writes them needs their nodes. */
  readonly partitions?: number;
  /** Carries traces over the queues. */
  readonly telemetry?: Telemetry;
}

/** The sending side of the queues. */
export interface BullQueue extends JobQueue, FetchHistory {
  /** How much is in each queue, that of commands included. Throws if Redis does not answer. */
  depths(now: Date): Promise<QueueDepth[]>;
  /** Throws if Redis does not answer. */
  ping(): Promise<void>;
  /**
   * Throws the reason unless Redis stores a small key in each shard and beside each event stream; they
   * expire by themselves.
   * @param limit milliseconds that this may take (1,500)
   */
  check(limit?: number): Promise<void>;
  close(): Promise<void>;
}

/** How many milliseconds Redis has to tell how much is in the queues: less than Prometheus waits. */
const depthsLimit = 1_500;

/** The queues of one shard. */
class Shard {
  readonly #queues: ReadonlyMap<string, Queue>;

  constructor(options: QueueOptions & { connection: RedisClient; prefix: string }) {
    this.#queues = new Map(Object.keys(jobSchemas).map((name) => [name, openQueue(name, options)]));
  }

  async send(jobs: readonly Job[]): Promise<void> {
    const names = [...new Set(jobs.map((job) => job.queue))];
    await Promise.all(
      names.map((name) => this.#queue(name).addBulk(jobs.filter((job) => job.queue === name).map(entry))),
    );
  }

  async backlog(queue: QueueName): Promise<number> {
    return this.#queue(queue).getJobCountByTypes('wait', 'prioritized', 'delayed');
  }

  queues(): Queue[] {
    return [...this.#queues.values()];
  }

  #queue(name: QueueName): Queue {
    return this.#queues.get(name) as Queue;
  }
}

/**
 * The queues on BullMQ. `deduplicate`: while an equal job waits, the new one is dropped; while an equal one
 * runs, the new one is run after it. `backlog` counts the jobs that wait in all shards, those for another
 * attempt included. Throws `RedisAddressError`.
 */
export function openJobQueue({
  prefix = '{feedmesh}',
  shards: count = 1,
  sendTimeout = 10_000,
  partitions = 0,
  telemetry,
  ...location
}: JobQueueOptions): BullQueue {
  const log = new ConnectionLog('JobQueue');
  const connection = openRedis(location, { maxRetriesPerRequest: 3 }, log);
  const prefixes = shardPrefixes(prefix, count);
  const options = { connection, ...(telemetry && { telemetry }) };
  const shards = prefixes.map((shardPrefix) => new Shard({ ...options, prefix: shardPrefix }));
  const commands = openQueue('commands', { ...options, prefix });
  const fetches = new RedisFetchHistory(connection, prefix);
  const checkedKeys = [
    ...new Set([prefix, ...prefixes].map((each) => `${each}:check`)),
    ...Array.from({ length: partitions }, (_, place) => besideStream(changeStream, place, 'check')),
  ];
  const queues = (): Queue[] => [commands, ...shards.flatMap((shard) => shard.queues())];
  const shardFor = (collection: CollectionKey): Shard => shards[placeOf(collection, count)] as Shard;
  const limited = <T>(promise: Promise<T>): Promise<T> => withTimeout(sendTimeout, 'sendTimeout', promise);

  return {
    async send(jobs) {
      const groups = new Map<Shard, Job[]>();
      for (const job of jobs) {
        // A preview is of no collection, and as good in one shard as in another.
        const shard = job.queue === 'preview' ? (shards[0] as Shard) : shardFor(job.data.collection);
        const group = groups.get(shard);
        if (group === undefined) groups.set(shard, [job]);
        else group.push(job);
      }
      await limited(Promise.all(Array.from(groups, ([shard, group]) => shard.send(group))));
    },
    async backlog(queue) {
      const counts = await limited(Promise.all(shards.map((shard) => shard.backlog(queue))));
      return counts.reduce((sum, waiting) => sum + waiting, 0);
    },
    recordFetches: (completions) => fetches.recordFetches(completions),
    async recentFetches(collection, id) {
      return limited(fetches.recentFetches(collection, id));
    },
    async depths(now) {
      return withTimeout(depthsLimit, 'queue depths', readQueueDepths(connection, queues(), now));
    },
    async ping() {
      await limited(connection.ping());
    },
    async check(limit) {
      await checkRedis(connection, log, checkedKeys, limit);
    },
    async close() {
      await Promise.allSettled(
        queues().map((queue) => withTimeout(sendTimeout, 'sendTimeout', queue.close())),
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
