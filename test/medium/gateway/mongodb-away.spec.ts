import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { describedRequests } from '../../support/described-requests.ts';
import type { SampleRequest } from '../../support/openapi-requests.ts';
import { PrivateMongodb } from '../../support/private-mongodb.ts';
import { until } from '../../support/until.ts';
import { problemIn, startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** What needs no database. */
const always: ReadonlySet<string> = new Set([
  '/v1/me',
  '/v1/preview',
  '/',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/openapi.json',
  '/asyncapi.json',
]);

let mongodb: PrivateMongodb;
let gateway: GatewayUnderTest;
let requests: readonly SampleRequest[];

beforeAll(async () => {
  mongodb = await PrivateMongodb.start();
  gateway = await startGateway({
    MONGODB_URI: mongodb.uri,
    // Short enough for a test; on a busy machine what is to succeed may take longer (`answered`).
    MONGODB_SELECTION_SECONDS: '3',
    GATEWAY_MONGODB_SECONDS: '3',
    GATEWAY_RETRY_SECONDS: '7',
    // Without it there are no keys, whether MongoDB is away or not.
    AUTH_SECRETS: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'silent',
  });
  expect((await answered(() => gateway.send('PUT', '/v1/collections/todo'))).ok).toBe(true);
  const key = { 'idempotency-key': 'first' };
  const item = { id: 'a', title: 'An item' };
  const create = (): Promise<Response> => gateway.send('POST', '/v1/collections/todo/items', item, key);
  expect((await answered(create)).status).toBe(201);
  const changes = '/v1/collections/todo/changes';
  requests = [
    ...(await describedRequests(gateway.url)).filter(({ path }) => !always.has(path)),
    ...['longpoll', 'stream'].map((mode) => ({ method: 'GET', path: `${changes}?mode=${mode}` })),
  ];
});
afterAll(async () => {
  await gateway.close();
  await mongodb.end();
});

async function send({ method, path, type, body }: SampleRequest): Promise<Response> {
  return gateway.send(method, path, body, type === undefined ? {} : { 'content-type': type });
}

/** Sends a request until MongoDB has answered it: a busy machine may take longer than the limit. */
async function answered(request: () => Promise<Response>): Promise<Response> {
  return until(request, ({ status }) => status !== 503);
}

async function isReady(): Promise<boolean> {
  return (await gateway.send('GET', '/health/ready')).status === 200;
}

describe.each([
  ['killed', () => mongodb.kill(), () => mongodb.restart()],
  ['stopped without a word', () => mongodb.freeze(), async () => mongodb.thaw()],
])('While MongoDB is %s', (_how, away, back) => {
  beforeAll(away);
  afterAll(async () => {
    await back();
    await until(isReady);
  });

  test('every route says so, and when to try again', async () => {
    expect(requests.length).toBeGreaterThan(40);
    const answers = await Promise.all(
      requests.map(async (request) => {
        const response = await send(request);
        const retryAfter = response.headers.get('retry-after');
        const rule = response.status === 503 ? (await problemIn(response)).rule : await response.text();
        return { ...request, status: response.status, rule, retryAfter };
      }),
    );
    const away503 = { status: 503, rule: 'unavailable', retryAfter: '7' };
    expect(answers).toEqual(requests.map((request) => ({ ...request, ...away503 })));
  });

  test('the service lives, and says that it is not ready', async () => {
    expect((await gateway.send('GET', '/health/live')).status).toBe(200);
    const checks = await until(
      async () => {
        const response = await gateway.send('GET', '/health/ready');
        expect(response.status).toBe(503);
        return ((await response.json()) as { checks: Record<string, string> }).checks;
      },
      ({ redis }) => redis === 'up',
    );
    expect(checks['mongodb']).not.toBe('up');
  });
});

test('a MongoDB that can only be read is not up', async () => {
  await mongodb.stepDown(600);
  await until(async () => {
    const response = await gateway.send('GET', '/health/ready');
    const { checks } = (await response.json()) as { checks: { mongodb: string } };
    return /primary/i.test(checks.mongodb);
  });
  const path = '/v1/collections/todo/items/a';
  const update = (): Promise<Response> =>
    gateway.send('PUT', path, { title: 'Written once' }, { 'idempotency-key': 'once' });
  const read = await answered(() => gateway.send('GET', path));
  expect(read.status).toBe(200);
  const { revision } = (await read.json()) as { revision: number };
  expect((await problemIn(await update())).rule).toBe('outcome-unknown');
  await mongodb.command({ replSetFreeze: 0 });
  await until(isReady);
  for (let time = 0; time < 2; time += 1) {
    const response = await answered(update);
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ title: 'Written once', revision: revision + 1 }),
    ]);
  }
});

test('a command waits until MongoDB is back, however often it has been tried', async () => {
  const redis = new Redis(gateway.redisUrl, { maxRetriesPerRequest: null });
  const commands = new Queue('commands', { connection: redis, prefix: '{feedmesh}' });
  try {
    await mongodb.kill();
    for (const id of ['late', 'a']) {
      await commands.add('edit', { collection: 'todo', action: 'create', id, item: { title: 'Created' } });
    }
    // Each is tried again and again, and is not among them while that takes place.
    const delayed = await until(
      () => commands.getDelayed(),
      (jobs) => jobs.length === 2,
    );
    expect(delayed.map(({ attemptsMade }) => attemptsMade)).toEqual([0, 0]);
    await mongodb.restart();
    await until(async () => (await gateway.send('GET', '/v1/collections/todo/items/late')).status === 200);
    await until(async () => (await gateway.store.deadLetters.list({ limit: 10 })).length === 1);
  } finally {
    await commands.close();
    redis.disconnect();
  }
});
