import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { collectionKey } from '#core';
import { PrivateRedis } from '../../acceptance/queue/support/redis.ts';
import { until } from '../../support/until.ts';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

test('a write is acknowledged while Redis is away and published later; health says so', async () => {
  const gateway = await startGateway({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  try {
    expect((await gateway.send('PUT', '/v1/collections/offline')).status).toBe(201);
    expect(
      (await gateway.send('POST', '/v1/collections/offline/items', { id: 'a', title: 'Written' })).status,
    ).toBe(201);
    expect(
      (await gateway.send('PUT', '/v1/collections/offline/subscriptions/s', { url: 'https://a.example/' }))
        .status,
    ).toBe(201);
    expect((await gateway.store.items.pending(collectionKey('offline'), 10)).map(({ id }) => id)).toEqual([
      'a',
    ]);
    expect((await gateway.send('GET', '/health/live')).status).toBe(200);
    expect((await gateway.send('GET', '/health/ready')).status).toBe(503);
  } finally {
    await gateway.close();
  }
});

describe('A Redis that takes no writes', () => {
  let redis: PrivateRedis;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    redis = await PrivateRedis.start();
    gateway = await startGateway({ REDIS_URL: redis.url });
    await gateway.send('PUT', '/v1/collections/offline');
  });
  afterAll(async () => {
    redis.thaw();
    await gateway.close();
    await redis.end();
  });

  /** What the health page says of Redis. */
  async function health(): Promise<string> {
    const response = await gateway.send('GET', '/health/ready');
    const { status, checks } = (await response.json()) as { status: string; checks: { redis: string } };
    expect([response.status, status]).toEqual(checks.redis === 'up' ? [200, 'up'] : [503, 'down']);
    return checks.redis;
  }

  const send = (line: string) => () => redis.command(line);

  test.each([
    ['because it is full', send('CONFIG SET maxmemory 1'), send('CONFIG SET maxmemory 0'), 'OOM'],
    ['since it became a replica', send('REPLICAOF 127.0.0.1 1'), send('REPLICAOF NO ONE'), 'READONLY'],
    ['and says nothing', () => redis.freeze(), async () => redis.thaw(), 'no answer'],
  ])('%s is not up, and keeps nobody from writing', async (_how, away, back, reason) => {
    await until(async () => (await health()) === 'up');
    await away();
    await until(async () => (await health()).includes(reason));
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        gateway.send('POST', '/v1/collections/offline/items', { title: 'Written all the same' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    await back();
    await until(async () => (await health()) === 'up');
  });
});
