import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { listDeadEvents } from '#client';
import { ownName, redisUrl } from '../../acceptance/queue/support/redis.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { until } from '../../support/until.ts';
import { PublishedChanges } from './published-changes.ts';

const program = fileURLToPath(new URL('consumer.mjs', import.meta.url));
const collections = Array.from({ length: 8 }, (_, index) => `notes-${index}`);
const [eventsOfOne, itemsOfOne, atOnce] = [2_500, 40, 125];
const group = 'team';

let changes: PublishedChanges;
let consumers: ServerProcess[];
let seen: { readonly url: string; readonly key: string };
let observed: Redis;

beforeEach(async () => {
  changes = await PublishedChanges.start();
  // In a database that the test does not flush.
  seen = { url: redisUrl(), key: ownName() };
  observed = new Redis(seen.url);
  consumers = Array.from({ length: 4 }, () => new ServerProcess());
  await changes.create(...collections);
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.kill()));
  await observed.del(seen.key);
  observed.disconnect();
  await changes.close();
});

/** Numbers from 0 to 1, the same ones for a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function startConsumer(place: number): Promise<void> {
  const { redisUrl, url } = changes.gateway;
  const options = {
    redisUrl,
    url,
    group,
    consumer: `consumer-${place}`,
    takeOverAfter: 900,
    retryAfterMost: 5,
    seen,
  };
  await consumers[place]?.run(process.execPath, [program, JSON.stringify(options)]);
}

/** Does one of the things that lose events. */
async function disturb(random: () => number): Promise<string> {
  const place = Math.floor(random() * consumers.length);
  const kind = random();
  if (kind < 0.45) {
    const length = Math.floor(random() * 100);
    await changes.redis.xtrim(changes.key, 'MAXLEN', length);
    return `trimmed to ${length}`;
  }
  if (kind < 0.6) {
    await changes.redis.del(changes.key);
    return 'stream deleted';
  }
  if (kind < 0.75) {
    await changes.redis.flushdb();
    return 'flushed';
  }
  await consumers[place]?.kill();
  await startConsumer(place);
  return `consumer ${place} killed`;
}

test('every change is seen in order while events are lost and consumers die', async () => {
  const seed = Number(process.env['CONSUMERS_SEED'] ?? Math.floor(Math.random() * 1e9));
  const random = randomNumbers(seed);
  const done: string[] = [`CONSUMERS_SEED=${seed}`];
  const brokenAt = 1 + Math.floor(random() * eventsOfOne);
  const subject = (collection: string) => (sequence: number) =>
    collection === 'notes-3' && sequence === brokenAt ? 'broken' : `item-${sequence % itemsOfOne}`;
  try {
    for (const place of consumers.keys()) await startConsumer(place);
    for (let round = 0; round < eventsOfOne / atOnce; round += 1) {
      for (const collection of collections)
        await changes.publish(collection, atOnce, { maximumLength: 500, subject: subject(collection) });
      if (random() < 0.7) done.push(await disturb(random));
    }
    const wanted = collections.length * eventsOfOne - 1;
    await until(
      async () => new Set(await observed.lrange(seen.key, 0, -1)).size,
      (size) => size >= wanted,
    );
    await until(async () => (await listDeadEvents({ redisUrl: changes.gateway.redisUrl, group })).length > 0);
    const firstSeen = [...new Set(await observed.lrange(seen.key, 0, -1))];
    for (const collection of collections) {
      const sequences = firstSeen
        .filter((id) => id.startsWith(`${collection}:`))
        .map((id) => Number(id.split(':')[1]));
      const expected = Array.from({ length: eventsOfOne }, (_, index) => index + 1);
      const broken = collection === 'notes-3' ? brokenAt : 0;
      expect(sequences).toEqual(expected.filter((sequence) => sequence !== broken));
    }
    const dead = await listDeadEvents({ redisUrl: changes.gateway.redisUrl, group });
    expect(dead.map(({ event }) => [event.subject, Number(event.sequence)])).toEqual([['broken', brokenAt]]);
  } catch (error) {
    throw new Error(done.join('; '), { cause: error });
  }
});
