import { BullServer, openEventStream, openJobQueue } from '#queue';
import { consumeChanges } from '#client';
import type { BullQueue } from '#queue';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { collectionKey } from '#core';
import { PrivateRedis } from './support/redis.ts';
import { change, mergeJob, publishJob } from './support/samples.ts';
import { until } from '../../support/until.ts';

const notes = collectionKey('notes');

let own: PrivateRedis;
let queue: BullQueue;
let server: BullServer;
let merged: Set<number>;
let hold: Promise<void> | undefined;

beforeEach(async () => {
  own = await PrivateRedis.start();
  queue = openJobQueue({ redisUrl: own.url, sendTimeout: 10_000 });
  server = new BullServer({
    redisUrl: own.url,
    queues: { merge: { concurrency: 1 } },
    settings: { closeTimeout: 1_000, backoffFirst: 1, stalledInterval: 500, lockDuration: 2_000 },
  });
  merged = new Set();
  hold = undefined;
  server.addHandler('merge', async ({ batch }: { batch: number }) => {
    await hold;
    merged.add(batch);
  });
  server.listen((error) => expect(error).toBeUndefined());
});
afterEach(async () => {
  await server.close();
  await queue.close();
  await own.end();
});

test('what was sent before Redis was killed, and what is sent after it is back, is worked on', async () => {
  let release = (): void => {};
  hold = new Promise((resolve) => {
    release = resolve;
  });
  await queue.send([0, 1, 2, 3].map(mergeJob));
  await own.kill();
  release();
  await own.restart();
  await until(() => merged.size === 4);
  await queue.send([4, 5].map(mergeJob));
  await until(() => merged.size === 6);
  expect(merged).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});

test('an idle worker resumes its work after Redis was killed and came back', async () => {
  await queue.send([mergeJob(0)]);
  await until(() => merged.size === 1);
  await own.kill();
  await own.restart();
  await queue.send([mergeJob(1)]);
  await until(() => merged.size === 2);
  expect(merged.has(1)).toBe(true);
});

test('a flush of Redis is recovered without intervention', async () => {
  await queue.send([mergeJob(0), publishJob(collectionKey('notes'), 'notes')]);
  await until(() => merged.size === 1);
  const client = new Redis(own.url);
  await client.flushall();
  await client.script('FLUSH');
  await queue.send([mergeJob(1), publishJob(collectionKey('notes'), 'notes')]);
  await until(() => merged.size === 2);
  expect(await queue.backlog('publish')).toBe(1);
  client.disconnect();
});

test('a job that runs while Redis is flushed does no harm to those after it', async () => {
  let release = (): void => {};
  hold = new Promise((resolve) => {
    release = resolve;
  });
  await queue.send([mergeJob(0)]);
  const client = new Redis(own.url);
  await until(async () => (await client.llen('{feedmesh}:merge:active')) === 1);
  await client.flushall();
  await queue.send([mergeJob(1), mergeJob(2)]);
  release();
  await until(() => merged.size === 3);
  await until(
    async () => (await client.llen('{feedmesh}:merge:active')) + (await queue.backlog('merge')) === 0,
  );
  client.disconnect();
});

test('sending, counting, pinging and appending fail while Redis is away, and work again later', async () => {
  const stream = openEventStream({ redisUrl: own.url, sendTimeout: 10_000 });
  await queue.ping();
  await stream.ping();
  await own.kill();
  // At the same time: each is given up only after the limit.
  await Promise.all([
    expect(queue.send([mergeJob(0)])).rejects.toThrow(),
    expect(queue.backlog('merge')).rejects.toThrow(),
    expect(queue.ping()).rejects.toThrow(),
    expect(stream.append(notes, [change('notes', 1)])).rejects.toThrow(),
  ]);
  await own.restart();
  await until(() =>
    queue.ping().then(
      () => true,
      () => false,
    ),
  );
  await queue.send([mergeJob(1)]);
  await until(() => merged.has(1));
  await stream.append(notes, [change('notes', 1), change('notes', 2)]);
  const client = new Redis(own.url);
  const kept = await client.xrange('feedmesh:changes:0', '-', '+');
  expect(kept.map(([, fields]) => (JSON.parse(fields[1] ?? '') as { id: string }).id)).toEqual([
    'notes:1',
    'notes:2',
  ]);
  client.disconnect();
  await stream.close();
});

test('everything closes while Redis is away', async () => {
  await queue.send([mergeJob(0)]);
  await until(() => merged.size === 1);
  const stop = new AbortController();
  const reading = consumeChanges({
    redisUrl: own.url,
    group: 'team',
    consumer: 'one',
    signal: stop.signal,
  }).next();
  await own.kill();
  await expect(queue.ping()).rejects.toThrow();
  stop.abort();
  expect(await reading).toEqual({ done: true, value: undefined });
  await server.close();
  await queue.close();
});

test('a reader of changes goes on after Redis was killed, and after it was flushed', async () => {
  const stream = openEventStream({ redisUrl: own.url });
  const stop = new AbortController();
  const read: string[] = [];
  const reading = (async () => {
    for await (const { id } of consumeChanges({
      redisUrl: own.url,
      group: 'team',
      consumer: 'one',
      signal: stop.signal,
    }))
      read.push(id);
  })();
  await stream.append(notes, [change('notes', 1)]);
  await until(() => read.length === 1);
  await own.kill();
  await own.restart();
  await stream.append(notes, [change('notes', 2)]);
  await until(() => read.length === 2);
  const client = new Redis(own.url);
  await client.flushall();
  await stream.append(notes, [change('notes', 2), change('notes', 3)]);
  await until(() => read.length === 3);
  expect(read).toEqual(['notes:1', 'notes:2', 'notes:3']);
  stop.abort();
  await reading;
  client.disconnect();
  await stream.close();
});
