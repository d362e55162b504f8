import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { run } from '../../apps/cli/src/run.ts';
import { emptyRedis, ownRedisDatabase } from '../support/redis-database.ts';
import { memoryIo } from './memory-io.ts';

let REDIS_URL: string;
let redis: Redis;
beforeAll(async () => {
  REDIS_URL = await ownRedisDatabase();
  redis = new Redis(REDIS_URL);
});
afterEach(() => redis.flushdb());
afterAll(async () => {
  redis.disconnect();
  await emptyRedis(REDIS_URL);
});

async function feedmesh(...words: readonly string[]) {
  const io = memoryIo({ environment: { REDIS_URL } });
  const code = await run(['events', ...words], io);
  return { code, out: io.out(), err: io.err() };
}

const beside = (what: string, partition = 0): string => `{feedmesh:changes:${partition}}:${what}:billing`;

async function addDead(partition: number, subject: string): Promise<string> {
  const event = { id: `todo:${subject}`, type: 'feedmesh.item.updated.v1', subject };
  const fields = [
    'event',
    JSON.stringify(event),
    'error',
    'Error: no\n at x',
    'attempts',
    10,
    'at',
    '2026-02-01T00:00:00Z',
  ];
  return `${partition}:${await redis.xadd(beside('dead', partition), '*', ...fields)}`;
}

test('events dead lists the dead events of all partitions', async () => {
  const ids = [await addDead(0, 'one'), await addDead(1, 'two')];
  const { code, out } = await feedmesh('dead', 'billing', '--partitions', '2');
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  expect(code).toBe(0);
  expect(rows).toEqual([
    [ids[0], '2026-02-01T00:00:00Z', 'todo:one', 'feedmesh.item.updated.v1', 'one', '10', 'Error: no'],
    [ids[1], '2026-02-01T00:00:00Z', 'todo:two', 'feedmesh.item.updated.v1', 'two', '10', 'Error: no'],
  ]);
  const json = await feedmesh('dead', 'billing', '-o', 'json');
  expect(JSON.parse(json.out)).toMatchObject([{ id: ids[0], error: 'Error: no\n at x', attempts: 10 }]);
});

test('events retry requests that the named dead events, or all, are handled again', async () => {
  const [one, two] = [await addDead(0, 'one'), await addDead(0, 'two')];
  expect(await feedmesh('retry', 'billing', one)).toMatchObject({
    code: 0,
    out: '1 dead events are handled again\n',
  });
  expect(await redis.smembers(beside('retry'))).toEqual([one.slice(2)]);
  expect(await feedmesh('retry', 'billing')).toMatchObject({ out: '2 dead events are handled again\n' });
  expect((await redis.smembers(beside('retry'))).toSorted()).toEqual([one, two].map((id) => id.slice(2)));
});

test('events set-place sets the place of a group whose consumers are stopped', async () => {
  expect(await feedmesh('set-place', 'billing', 'todo', '0000000000000042')).toMatchObject({
    code: 0,
    err: '',
  });
  expect(await redis.hget(beside('places'), 'todo')).toMatch(/^0000000000000042 /);
  expect(await feedmesh('set-place', 'billing', 'todo', '42')).toMatchObject({ code: 64 });
  await redis.set(beside('reader'), 'one', 'PX', 60_000);
  const refused = await feedmesh('set-place', 'billing', 'todo', '0000000000000043');
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('Stop all of them first') });
  expect(await redis.hget(beside('places'), 'todo')).toMatch(/^0000000000000042 /);
});

test('the commands end with 69 if Redis does not respond', async () => {
  const io = memoryIo({ environment: { REDIS_URL: 'redis://127.0.0.1:1' } });
  expect(await run(['events', 'dead', 'billing'], io)).toBe(69);
});
