import type { Queue } from 'bullmq';
import type { RedisClient } from './redis.ts';

/** What is in a queue at a moment, in numbers of jobs. */
export interface QueueDepth {
  readonly queue: string;
  /** That a worker may take now, without a priority. */
  readonly waiting: number;
  /** That a worker may take now, with a priority. */
  readonly prioritized: number;
  /** For another attempt or a later time that has come. */
  readonly due: number;
  /** That a worker has taken. */
  readonly active: number;
  /** For another attempt or a later time that has not come. */
  readonly delayed: number;
  /** That no worker may take, because the queue is paused. */
  readonly paused: number;
  /**
   * Seconds since the oldest of those that wait, are due or active was sent, as far as their order tells: the
   * first in each list. 0 if there is none.
   */
  readonly oldestSeconds: number;
}

type Step = (string | number)[];

/**
 * Reads how much is in queues from BullMQ's own keys: lists `wait`, `active` and `paused`, sorted sets
 * `prioritized` and `delayed` (scores are milliseconds × 4096), hash `meta`. Jobs that move meanwhile may be
 * counted twice or not at all. Queues of the same name, of several shards, are added up.
 */
export async function readQueueDepths(
  redis: RedisClient,
  queues: readonly Queue[],
  now: Date,
): Promise<QueueDepth[]> {
  const depths = await Promise.all(queues.map((queue) => readDepth(redis, queue, now)));
  const names = [...new Set(depths.map(({ queue }) => queue))];
  return names.map((name) => depths.filter(({ queue }) => queue === name).reduce(sum));
}

async function readDepth(redis: RedisClient, queue: Queue, now: Date): Promise<QueueDepth> {
  const key = (name: string): string => queue.toKey(name);
  const cutoff = (now.getTime() + 1) * 4096 - 1;
  const [isPaused, waiting, held, prioritized, due, allDelayed, active, ...first] = await run(redis, [
    ['hexists', key('meta'), 'paused'],
    ['llen', key('wait')],
    ['llen', key('paused')],
    ['zcard', key('prioritized')],
    ['zcount', key('delayed'), '-inf', cutoff],
    ['zcard', key('delayed')],
    ['llen', key('active')],
    ['lindex', key('active'), -1],
    ['lindex', key('wait'), -1],
    ['zrange', key('prioritized'), 0, 0],
    ['zrangebyscore', key('delayed'), '-inf', cutoff, 'LIMIT', 0, 1],
  ]);
  const counts = [waiting, held, prioritized, due, allDelayed, active].map(Number);
  const [wait = 0, paused = 0, priority = 0, dueNow = 0, later = 0, taken = 0] = counts;
  const stopped = Number(isPaused) === 1;
  // Of a paused queue, only what was taken before is worked on.
  const ids = (stopped ? first.slice(0, 1) : first).flat().filter((id) => typeof id === 'string');
  return {
    queue: queue.name,
    waiting: stopped ? 0 : wait,
    prioritized: stopped ? 0 : priority,
    due: stopped ? 0 : dueNow,
    active: taken,
    delayed: later - dueNow,
    paused: stopped ? paused + wait + priority + dueNow : paused,
    oldestSeconds: await oldestOf(redis, ids.map(key), now),
  };
}

async function oldestOf(redis: RedisClient, jobs: readonly string[], now: Date): Promise<number> {
  const sent = await run(
    redis,
    jobs.map((job) => ['hget', job, 'timestamp']),
  );
  // One that has just ended has no key any more.
  const times = sent.filter((time) => time !== null).map(Number);
  return times.length === 0 ? 0 : Math.max(0, (now.getTime() - Math.min(...times)) / 1000);
}

async function run(redis: RedisClient, steps: readonly Step[]): Promise<unknown[]> {
  if (steps.length === 0) return [];
  const replies = (await redis.pipeline(steps as Step[]).exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error) throw error;
    return reply;
  });
}

function sum(one: QueueDepth, other: QueueDepth): QueueDepth {
  return {
    queue: one.queue,
    waiting: one.waiting + other.waiting,
    prioritized: one.prioritized + other.prioritized,
    due: one.due + other.due,
    active: one.active + other.active,
    delayed: one.delayed + other.delayed,
    paused: one.paused + other.paused,
    oldestSeconds: Math.max(one.oldestSeconds, other.oldestSeconds),
  };
}
