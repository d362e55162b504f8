import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { collectionKey } from '#core';
import { openJobQueue } from '#queue';
import type { BullQueue, QueueDepth } from '#queue';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';
import { mergeJob, publishJob } from './support/samples.ts';
import { until } from '../../support/until.ts';

const nothing = {
  queue: 'merge',
  waiting: 0,
  prioritized: 0,
  due: 0,
  active: 0,
  delayed: 0,
  paused: 0,
  oldestSeconds: 0,
};
const hour = 3_600_000;

let prefix: string;
let redis: Redis;
let jobs: BullQueue;
let bull: Queue;
beforeEach(() => {
  prefix = ownName();
  redis = new Redis(redisUrl(), { maxRetriesPerRequest: null });
  jobs = openJobQueue({ redisUrl: redisUrl(), prefix });
  bull = new Queue('merge', { connection: redis, prefix });
});
afterEach(async () => {
  await bull.close();
  await jobs.close();
  await removeKeys(redis, prefix);
  redis.disconnect();
});

async function depth(now = new Date()): Promise<QueueDepth | undefined> {
  return (await jobs.depths(now)).find(({ queue }) => queue === 'merge');
}

test('every queue has a depth, that of commands too; an empty one has nothing', async () => {
  const depths = await jobs.depths(new Date());
  expect(depths.map(({ queue }) => queue).sort()).toEqual([
    'commands',
    'delete',
    'download',
    'fetch',
    'finalize',
    'merge',
    'mirror',
    'preview',
    'publish',
  ]);
  expect(depths.find(({ queue }) => queue === 'merge')).toEqual(nothing);
});

test('jobs are counted where BullMQ keeps them, one whose time has come as due', async () => {
  const sent = Date.now() - hour;
  await jobs.send([mergeJob(0), mergeJob(1)]);
  await bull.add('merge', {}, { priority: 5, timestamp: sent });
  await bull.add('merge', {}, { delay: hour / 2, timestamp: sent });
  await bull.add('merge', {}, { delay: 3 * hour, timestamp: sent });
  const found = await depth();
  expect(found).toMatchObject({ waiting: 2, prioritized: 1, due: 1, active: 0, delayed: 1, paused: 0 });
  expect(found?.oldestSeconds).toBeGreaterThanOrEqual(3600);
  expect(await depth(new Date(sent + 4 * hour))).toMatchObject({
    due: 2,
    delayed: 0,
    oldestSeconds: 4 * 3600,
  });
});

test('a job that a worker has taken is active, and stays the oldest until it ends', async () => {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const connection = redis.duplicate();
  const worker = new Worker('merge', () => ended, { connection, prefix });
  try {
    const sent = Date.now() - hour;
    await bull.add('merge', {}, { timestamp: sent });
    await until(async () => (await depth())?.active === 1);
    await bull.add('merge', {}, { delay: 10 * hour });
    expect(await depth(new Date(sent + 2 * hour))).toEqual({
      ...nothing,
      active: 1,
      delayed: 1,
      oldestSeconds: 7200,
    });
    end();
    await until(async () => (await depth())?.active === 0);
    expect(await depth()).toEqual({ ...nothing, delayed: 1 });
  } finally {
    end();
    await worker.close();
    connection.disconnect();
  }
});

test('what waits in a paused queue is no work for more workers, and is again once it goes on', async () => {
  await jobs.send([mergeJob(0)]);
  await bull.pause();
  await jobs.send([mergeJob(1)]);
  await bull.add('merge', {}, { priority: 5 });
  expect(await depth()).toEqual({ ...nothing, paused: 3 });
  await bull.resume();
  expect(await depth()).toMatchObject({ waiting: 2, prioritized: 1, paused: 0 });
});

test('a queue that is spread over shards is counted whole', async () => {
  const spread = openJobQueue({ redisUrl: redisUrl(), prefix, shards: 4 });
  try {
    const collections = Array.from({ length: 20 }, (_, index) => collectionKey(`c${index}`));
    await spread.send(collections.map((collection) => publishJob(collection)));
    const depths = await spread.depths(new Date());
    expect(depths.filter(({ queue }) => queue === 'publish')).toMatchObject([{ waiting: 20, active: 0 }]);
  } finally {
    await spread.close();
    await removeKeys(redis, prefix.slice(1, -1));
  }
});
