import { createMemoryQueue } from '#in-memory';
import type { JobHandlers } from '#in-memory';
import { requestFetch, requestPublish, requestFinalize } from '#contracts';
import type { QueueName } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { JobQueue } from '#core';
import { BullServer, openCommandQueue, openJobQueue } from '#queue';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';
import { mergeJob, publishJob } from './support/samples.ts';
import { until } from '../../support/until.ts';

const notes = collectionKey('notes');

interface Adapter {
  readonly queue: JobQueue;
  /** Delivers until nothing waits. */
  deliverAll(handlers: JobHandlers): Promise<void>;
  close(): Promise<void>;
}

function openMemory(): Adapter {
  const queue = createMemoryQueue();
  return {
    queue,
    deliverAll: async (handlers) => {
      while (await queue.deliver(handlers));
    },
    close: async () => {},
  };
}

function openBull(shards = 1): Adapter {
  const prefix = ownName();
  const queue = openJobQueue({ redisUrl: redisUrl(), prefix, shards });
  const redis = new Redis(redisUrl());
  const prefixes =
    shards === 1 ? [prefix] : Array.from({ length: shards }, (_, shard) => prefix.replace('}', `:${shard}}`));
  // In one step for each shard: a job moves from one place to another at any time.
  const jobsOf = async (shard: string, name: string): Promise<number> => {
    const key = `${shard}:${name}`;
    const counts = await redis
      .multi()
      .llen(`${key}:wait`)
      .llen(`${key}:active`)
      .zcard(`${key}:delayed`)
      .zcard(`${key}:prioritized`)
      .exec();
    return (counts ?? []).reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const idle = async (name: string): Promise<boolean> =>
    (await Promise.all(prefixes.map((shard) => jobsOf(shard, name)))).every((count) => count === 0);
  return {
    queue,
    async deliverAll(handlers) {
      const names = Object.keys(handlers);
      const server = new BullServer({
        redisUrl: redisUrl(),
        prefix,
        shards,
        queues: Object.fromEntries(names.map((name) => [name, { concurrency: 1 }])),
      });
      for (const [name, handler] of Object.entries(handlers))
        server.addHandler(name, handler as (data: unknown) => Promise<void>);
      await new Promise<void>((resolve, reject) => {
        server.listen((error) => (error ? reject(error) : resolve()));
      });
      for (const name of names) await until(() => idle(name));
      await server.close();
    },
    async close() {
      await queue.close();
      await removeKeys(redis, prefix.slice(1, -1));
      redis.disconnect();
    },
  };
}

describe.each([
  ['in memory', openMemory],
  ['on BullMQ', openBull],
  ['on BullMQ, in three shards', () => openBull(3)],
])('a job queue %s', (_name, open) => {
  let adapter: Adapter;
  beforeEach(() => {
    adapter = open();
  });
  afterEach(async () => {
    await adapter.close();
  });

  test('delivers every job with its data to the handler of its queue', async () => {
    await adapter.queue.send([mergeJob(0), publishJob(notes), mergeJob(1)]);
    const merged: number[] = [];
    const published: string[] = [];
    await adapter.deliverAll({
      merge: async ({ batch }) => void merged.push(batch),
      publish: async ({ collection }) => void published.push(collection),
    });
    expect(merged.toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(published).toEqual(['notes']);
  });

  test('counts the jobs that wait in each queue', async () => {
    expect(await adapter.queue.backlog('merge')).toBe(0);
    await adapter.queue.send([mergeJob(0), mergeJob(1), publishJob(notes)]);
    expect(await adapter.queue.backlog('merge')).toBe(2);
    expect(await adapter.queue.backlog('publish')).toBe(1);
    await adapter.deliverAll({ merge: async () => {}, publish: async () => {} });
    expect(await adapter.queue.backlog('merge')).toBe(0);
  });

  test('drops a job while an equal one waits, and no other', async () => {
    await adapter.queue.send([
      publishJob(notes, 'notes'),
      publishJob(notes, 'notes'),
      publishJob(collectionKey('tasks'), 'tasks'),
      publishJob(collectionKey('plain')),
      publishJob(collectionKey('plain')),
    ]);
    const published: string[] = [];
    await adapter.deliverAll({ publish: async ({ collection }) => void published.push(collection) });
    expect(published.toSorted()).toEqual(['notes', 'plain', 'plain', 'tasks']);
  });

  test('takes the jobs of two collections for two, whatever else in them is the same', async () => {
    const collections = ['notes', 'tasks'];
    const jobs = collections.flatMap((name) => [
      requestFetch(collectionKey(name), subscriptionId('peer')),
      requestFinalize(collectionKey(name), 'm1'),
      requestPublish(collectionKey(name)),
    ]);
    await adapter.queue.send([...jobs, ...jobs]);
    const done: string[] = [];
    const note =
      (queue: QueueName) =>
      async ({ collection }: { readonly collection: string }) => {
        done.push(`${queue} ${collection}`);
      };
    await adapter.deliverAll({ fetch: note('fetch'), finalize: note('finalize'), publish: note('publish') });
    expect(done.toSorted()).toEqual([
      'fetch notes',
      'fetch tasks',
      'finalize notes',
      'finalize tasks',
      'publish notes',
      'publish tasks',
    ]);
  });

  test('takes the jobs of two subscriptions, and of two fetches, of a collection for two', async () => {
    const fetches = ['one', 'two'].map((subscription) => requestFetch(notes, subscriptionId(subscription)));
    const finalizes = ['m1', 'm2'].map((manifest) => requestFinalize(notes, manifest));
    await adapter.queue.send([...fetches, ...finalizes]);
    const done: string[] = [];
    await adapter.deliverAll({
      fetch: async ({ subscription }) => void done.push(subscription),
      finalize: async ({ manifest }) => void done.push(manifest),
    });
    expect(done.toSorted()).toEqual(['m1', 'm2', 'one', 'two']);
  });

  test('runs a job that is requested while an equal one runs after that one', async () => {
    await adapter.queue.send([publishJob(notes, 'notes')]);
    const log: string[] = [];
    await adapter.deliverAll({
      publish: async () => {
        log.push('begin');
        if (log.length === 1) {
          await adapter.queue.send([publishJob(notes, 'notes')]);
          await adapter.queue.send([publishJob(notes, 'notes')]);
        }
        log.push('end');
      },
    });
    expect(log).toEqual(['begin', 'end', 'begin', 'end']);
  });

  test('takes an equal job again once the first has been done', async () => {
    let published = 0;
    for (let round = 0; round < 2; round += 1) {
      await adapter.queue.send([publishJob(notes, 'notes')]);
      await adapter.deliverAll({ publish: async () => void (published += 1) });
    }
    expect(published).toBe(2);
  });
});

describe('the queue in memory', () => {
  function dice(...rolls: number[]): () => number {
    return () => rolls.shift() ?? 0;
  }

  test('delivers in the order that the dice say', async () => {
    const queue = createMemoryQueue({ fraction: dice(0.9, 0.4, 0) });
    await queue.send([mergeJob(0), mergeJob(1), mergeJob(2)]);
    const merged: number[] = [];
    while (await queue.deliver({ merge: async ({ batch }) => void merged.push(batch) }));
    expect(merged).toEqual([2, 0, 1]);
  });

  test('loses and repeats jobs as often as configured', async () => {
    const lossy = createMemoryQueue({ lose: 1 });
    await lossy.send([mergeJob(0)]);
    expect(await lossy.deliver({})).toBe(true);
    expect(await lossy.backlog('merge')).toBe(0);

    const repeating = createMemoryQueue({ repeat: 0.5, fraction: dice(0, 0.4, 0, 0.6) });
    await repeating.send([mergeJob(7)]);
    const merged: number[] = [];
    while (await repeating.deliver({ merge: async ({ batch }) => void merged.push(batch) }));
    expect(merged).toEqual([7, 7]);
  });

  test('keeps a job whose handler throws', async () => {
    const queue = createMemoryQueue();
    await queue.send([mergeJob(0)]);
    const crash = queue.deliver({ merge: () => Promise.reject(new Error('crash')) });
    await expect(crash).rejects.toThrow('crash');
    expect(await queue.backlog('merge')).toBe(1);
  });
});

test('the jobs of a collection are in one shard, and the commands in none', async () => {
  const prefix = ownName();
  const queue = openJobQueue({ redisUrl: redisUrl(), prefix, shards: 3 });
  const commands = openCommandQueue({ redisUrl: redisUrl(), prefix });
  const redis = new Redis(redisUrl());
  try {
    // The CRC-32 of these names leads to the shards 0, 1 and 2.
    for (const name of ['a', 'g', 'b'])
      await queue.send([publishJob(collectionKey(name)), requestPublish(collectionKey(name))]);
    await commands.send({
      name: 'refresh',
      data: { collection: collectionKey('a'), subscription: subscriptionId('s') },
    });
    await queue.check();
    const keys = await redis.keys(`*${prefix.slice(1, -1)}*`);
    for (const shard of [0, 1, 2]) {
      const own = prefix.replace('}', `:${shard}}`);
      expect(keys).toEqual(expect.arrayContaining([`${own}:check`, `${own}:publish:wait`]));
    }
    expect(keys.filter((key) => key.includes('commands')).every((key) => key.startsWith(`${prefix}:`))).toBe(
      true,
    );
    expect(await queue.backlog('publish')).toBe(6);
    const depths = (await queue.depths(new Date())).filter((depth) => depth.queue === 'publish');
    expect(depths).toMatchObject([{ waiting: 6 }]);
  } finally {
    await commands.close();
    await queue.close();
    await removeKeys(redis, prefix.slice(1, -1));
    redis.disconnect();
  }
});
