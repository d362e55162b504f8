import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { collectionKey } from '#core';
import { PrivateRedis } from '../../acceptance/queue/support/redis.ts';
import { until } from '../../support/until.ts';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** What the health page says does not work. */
const lost = /commands wait, edits are stored but not published.*limits of tenants/;

interface Health {
  readonly code: number;
  readonly status: string;
  readonly redis: string;
}

async function healthOf(gateway: GatewayUnderTest): Promise<Health> {
  const response = await gateway.send('GET', '/health/ready');
  const { status, checks } = (await response.json()) as { status: string; checks: { redis: string } };
  return { code: response.status, status, redis: checks.redis };
}

/** What the metrics say of a dependency. */
async function dependency(gateway: GatewayUnderTest, name: string): Promise<string | undefined> {
  const text = await (await gateway.send('GET', '/metrics')).text();
  return new RegExp(`^feedmesh_dependency_up\\{dependency="${name}"\\} (.*)$`, 'm').exec(text)?.[1];
}

test('a write is published while Redis is away, and its event is sent later; health says so', async () => {
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
    const events = await gateway.store.changes.read(collectionKey('offline'), 0, 10);
    expect(events.map(({ subject }) => subject)).toEqual(['a']);
    // Whoever sends the events finds it when Redis is back.
    expect(await gateway.store.collections.unfollowed()).toEqual(['offline']);
    expect((await gateway.send('GET', '/health/live')).status).toBe(200);
    expect(await healthOf(gateway)).toEqual({
      code: 200,
      status: 'degraded',
      redis: expect.stringMatching(/^degraded: .*ECONNREFUSED/),
    });
  } finally {
    await gateway.close();
  }
});

describe('A gateway whose Redis', () => {
  let redis: PrivateRedis;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    redis = await PrivateRedis.start();
    await admit();
    gateway = await startGateway({ REDIS_URL: redis.url.replace('//', '//mesh:right@') });
    await gateway.send('PUT', '/v1/collections/offline');
    await gateway.send('PUT', '/v1/tenants/acme', {});
    await gateway.send('PUT', '/v1/collections/acme.todo');
  });
  afterAll(async () => {
    redis.thaw();
    await gateway.close();
    await redis.end();
  });

  const admit = (): Promise<void> => redis.command('ACL SETUSER mesh on resetpass >right ~* &* +@all');
  const refuse = async (): Promise<void> => {
    await redis.command('ACL SETUSER mesh resetpass >other');
    await redis.command('CLIENT KILL USER mesh');
  };
  const send = (line: string) => () => redis.command(line);

  const items = '/v1/collections/offline/items';
  const item = { title: 'x' };
  /** Requests that need no Redis, each with the status that it has. */
  const requests: readonly (readonly [status: number, ...Parameters<GatewayUnderTest['send']>])[] = [
    ...Array.from({ length: 30 }, () => [201, 'POST', items, item] as const),
    [201, 'POST', items, item, { 'idempotency-key': 'once' }],
    [201, 'POST', '/v1/collections/acme.todo/items', item],
    [200, 'GET', items],
    [200, 'GET', '/v1/collections/acme.todo'],
    [200, 'GET', '/v1/collections/offline/changes'],
    [200, 'GET', '/v1/collections/offline/changes?mode=stream'],
    [200, 'GET', '/v1/collections/acme.todo/changes?mode=stream'],
    [200, 'GET', '/feeds/offline.atom'],
    [200, 'GET', '/'],
  ];

  test.each([
    ['is full', send('CONFIG SET maxmemory 1'), send('CONFIG SET maxmemory 0'), 'OOM'],
    ['became a replica', send('REPLICAOF 127.0.0.1 1'), send('REPLICAOF NO ONE'), 'READONLY'],
    ['says nothing', () => redis.freeze(), async () => redis.thaw(), 'no answer'],
    [
      'is killed',
      () => redis.kill(),
      async () => {
        await redis.restart();
        await admit();
      },
      'ECONNREFUSED',
    ],
    ['takes another password', () => refuse(), () => admit(), 'WRONGPASS|NOAUTH'],
  ])('%s is ready and degraded, and serves what needs MongoDB alone', async (_how, away, back, reason) => {
    await until(async () => (await healthOf(gateway)).status === 'up');
    expect(await dependency(gateway, 'redis')).toBe('1');
    await away();
    const health = await until(
      () => healthOf(gateway),
      (one) => new RegExp(reason).test(one.redis),
    );
    expect(health).toEqual({ code: 200, status: 'degraded', redis: expect.stringMatching(lost) });
    expect([await dependency(gateway, 'redis'), await dependency(gateway, 'mongodb')]).toEqual(['0', '1']);
    await Promise.all(
      requests.map(async ([status, ...request]) => {
        const response = await gateway.send(...request);
        expect([response.url, response.status]).toEqual([response.url, status]);
        await response.body?.cancel();
      }),
    );
    await back();
    await until(async () => (await healthOf(gateway)).status === 'up');
  });
});
