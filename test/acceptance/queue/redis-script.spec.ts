import { afterEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { RedisScript } from '../../../libs/queue/src/redis-script.ts';
import { ownName, redisUrl } from './support/redis.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

test('a script runs that Redis has not seen', async () => {
  const redis = new Redis(redisUrl());
  ends.push(() => redis.disconnect());
  const script = new RedisScript(`return {KEYS[1], ARGV[1]} -- ${ownName()}`);
  const run = (value: number): Promise<unknown> => script.run(redis, ['{a}:b'], [value]);
  expect(await Promise.all([run(1), run(2)])).toEqual([
    ['{a}:b', '1'],
    ['{a}:b', '2'],
  ]);
  expect(await run(3)).toEqual(['{a}:b', '3']);
});

test('what is wrong with a script is thrown', async () => {
  const redis = new Redis(redisUrl());
  ends.push(() => redis.disconnect());
  await expect(new RedisScript('return redis.error_reply("WRONG x")').run(redis, [], [])).rejects.toThrow(
    'WRONG x',
  );
});
