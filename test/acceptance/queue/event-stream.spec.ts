import { createMemoryEventStream } from '#in-memory';
import type { ChangeEvent } from '#contracts';
import { collectionKey } from '#core';
import type { EventStream } from '#core';
import { openEventStream } from '#queue';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { startRedis } from '../../support/redis-servers.ts';
import type { RedisServer } from '../../support/redis-servers.ts';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';
import { change } from './support/samples.ts';
import { until } from '../../support/until.ts';

const notes = collectionKey('notes');

interface Adapter {
  readonly stream: EventStream;
  read(): Promise<readonly ChangeEvent[]>;
  close(): Promise<void>;
}

function openMemory(): Adapter {
  const stream = createMemoryEventStream();
  return { stream, read: async () => stream.events, close: async () => {} };
}

async function readStream(redis: Redis, key: string): Promise<ChangeEvent[]> {
  const entries = await redis.xrange(key, '-', '+');
  return entries.map(([, [field, value]]) => {
    expect(field).toBe('event');
    return JSON.parse(value ?? '') as ChangeEvent;
  });
}

function openRedisStream(): Adapter {
  const name = ownName();
  const stream = openEventStream({ redisUrl: redisUrl(), stream: name });
  const redis = new Redis(redisUrl());
  return {
    stream,
    read: () => readStream(redis, `${name}:0`),
    async close() {
      await stream.close();
      await removeKeys(redis, name);
      redis.disconnect();
    },
  };
}

describe.each([
  ['in memory', openMemory],
  ['on Redis', openRedisStream],
])('an event stream %s', (_name, open) => {
  let adapter: Adapter;
  beforeEach(() => {
    adapter = open();
  });
  afterEach(async () => {
    await adapter.close();
  });
  const ids = async (): Promise<string[]> => (await adapter.read()).map(({ id }) => id);

  test('keeps whole events in the order they were appended in', async () => {
    const events = [change('notes', 1), change('notes', 2), change('notes', 5)];
    await adapter.stream.append(notes, events.slice(0, 2));
    await adapter.stream.append(notes, events.slice(2));
    expect(await adapter.read()).toEqual(events);
  });

  test('takes more events at once than fit one batch, in order', async () => {
    const events = Array.from({ length: 1_201 }, (_, index) => change('notes', index + 1));
    await adapter.stream.append(notes, events);
    expect(await ids()).toEqual(events.map(({ id }) => id));
  });

  test('adds nothing when the same events are appended again', async () => {
    await adapter.stream.append(notes, [change('notes', 1), change('notes', 2)]);
    await adapter.stream.append(notes, [change('notes', 1), change('notes', 2), change('notes', 3)]);
    expect(await ids()).toEqual(['notes:1', 'notes:2', 'notes:3']);
  });

  test('drops the late append of a publisher that was overtaken', async () => {
    await adapter.stream.append(notes, [change('notes', 9), change('notes', 10)]);
    await adapter.stream.append(notes, [change('notes', 8), change('notes', 9)]);
    expect(await ids()).toEqual(['notes:9', 'notes:10']);
  });

  test('fences each collection on its own', async () => {
    await adapter.stream.append(notes, [change('notes', 7)]);
    await adapter.stream.append(collectionKey('tasks'), [change('tasks', 1)]);
    expect(await ids()).toEqual(['notes:7', 'tasks:1']);
  });

  test('takes an empty append', async () => {
    await adapter.stream.append(notes, []);
    expect(await adapter.read()).toEqual([]);
  });
});

test('events that must be in a replica are appended again, and once, until they are', async () => {
  const master = await startRedis();
  const url = `redis://127.0.0.1:${master.port}`;
  const stream = openEventStream({ redisUrl: url, replicas: 1, replicaTimeout: 50, sendTimeout: 60_000 });
  let replica: RedisServer | undefined;
  try {
    await expect(stream.append(notes, [change('notes', 1)])).rejects.toThrow('STREAM_REPLICAS');
    replica = await startRedis(`replicaof 127.0.0.1 ${master.port}`);
    await until(() =>
      stream.append(notes, [change('notes', 1)]).then(
        () => true,
        () => false,
      ),
    );
    expect((await readStream(replica.client, 'feedmesh:changes:0')).map(({ id }) => id)).toEqual(['notes:1']);
  } finally {
    await stream.close();
    await Promise.all([master.end(), replica?.end()]);
  }
});

describe('the event stream on Redis', () => {
  const name = ownName();
  const redis = new Redis(redisUrl());
  afterEach(async () => {
    await removeKeys(redis, name);
  });
  afterAll(() => redis.disconnect());

  test('appends everything if Redis has lost the stream and the record of it', async () => {
    const stream = openEventStream({ redisUrl: redisUrl(), stream: name });
    await stream.append(notes, [change('notes', 1), change('notes', 2)]);
    await removeKeys(redis, name);
    await stream.append(notes, [change('notes', 2)]);
    expect((await readStream(redis, `${name}:0`)).map(({ id }) => id)).toEqual(['notes:2']);
    await stream.close();
  });

  test('keeps about as many events as are configured', async () => {
    const stream = openEventStream({ redisUrl: redisUrl(), stream: name, maximumLength: 200 });
    await stream.append(
      notes,
      Array.from({ length: 2_000 }, (_, index) => change('notes', index + 1)),
    );
    const kept = await readStream(redis, `${name}:0`);
    expect(kept.length).toBeGreaterThanOrEqual(200);
    expect(kept.length).toBeLessThan(400);
    expect(kept.at(-1)?.id).toBe('notes:2000');
    await stream.close();
  });

  test('spreads collections over partitions, each collection in one of them', async () => {
    const stream = openEventStream({ redisUrl: redisUrl(), stream: name, partitions: 2 });
    const collections = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const collection of collections)
      await stream.append(collectionKey(collection), [change(collection, 1), change(collection, 2)]);
    const partitions = await Promise.all(
      [0, 1].map((partition) => readStream(redis, `${name}:${partition}`)),
    );
    const sources = partitions.map((events) => new Set(events.map(({ source }) => source)));
    expect(sources[0]?.size).toBeGreaterThan(0);
    expect(sources[1]?.size).toBeGreaterThan(0);
    expect((sources[0]?.size ?? 0) + (sources[1]?.size ?? 0)).toBe(collections.length);
    await stream.close();
  });
});
