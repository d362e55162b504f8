import { randomBytes } from 'node:crypto';
import { Agent, get } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { PrivateRedis } from '../acceptance/queue/support/redis.ts';
import { PrivateMongodb } from '../support/private-mongodb.ts';
import { RawRequest } from '../support/raw-request.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { ownRedisDatabase } from '../support/redis-database.ts';
import { until } from '../support/until.ts';

let running: ServiceProcess[];

beforeEach(() => {
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((service) => service.kill()));
});

async function start(name: string, environment: Record<string, string>): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(name, environment);
  running.push(service);
  return service;
}

/** What `/health/ready` says. */
async function checks(url: string): Promise<Record<string, string>> {
  return ((await (await fetch(`${url}/health/ready`)).json()) as { checks: Record<string, string> }).checks;
}

const item = JSON.stringify({ id: 'a', title: 'An item' });

describe('A gateway that is stopped', () => {
  let uri: URL;
  let environment: Record<string, string>;
  beforeEach(async () => {
    uri = new URL(process.env['MONGODB_URI'] ?? '');
    uri.pathname = `/feedmesh-test-${randomBytes(8).toString('hex')}`;
    environment = {
      MONGODB_URI: uri.href,
      REDIS_URL: await ownRedisDatabase(),
      SHUTDOWN_GRACE_SECONDS: '3600',
    };
  });
  afterEach(async () => {
    const connection = await mongoose.createConnection(uri.href).asPromise();
    await connection.dropDatabase();
    await connection.close();
  });

  async function startGateway(more: Record<string, string> = {}): Promise<ServiceProcess> {
    const gateway = await start('gateway', { ...environment, ...more });
    await gateway.ready();
    await fetch(`${gateway.url}/v1/collections/todo`, { method: 'PUT' });
    return gateway;
  }

  /** A request whose body is still to come. */
  async function unfinished(gateway: ServiceProcess): Promise<RawRequest> {
    const request = await RawRequest.open(gateway.url);
    request.begin('POST', '/v1/collections/todo/items', item.length);
    // Another one that is answered shows that the header of this one was read.
    await fetch(`${gateway.url}/health/live`);
    return request;
  }

  /** Sends requests over one kept connection until nobody takes them; the `Connection` of each response. */
  async function keepAsking(gateway: ServiceProcess): Promise<(string | undefined)[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const seen: (string | undefined)[] = [];
    const ask = (): Promise<boolean> =>
      new Promise((resolve) => {
        get(`${gateway.url}/health/live`, { agent }, (response) => {
          seen.push(response.headers.connection);
          response.resume().on('end', () => resolve(true));
        }).on('error', () => resolve(false));
      });
    // A kept connection may be closed while a request is on its way; a fresh one shows whether anybody
    // listens.
    while ((await ask()) || (await ask()));
    agent.destroy();
    return seen;
  }

  test('finishes what is in progress, ends streams with a reason, and takes nothing else', async () => {
    const gateway = await startGateway();
    const unused = await RawRequest.open(gateway.url);
    const stream = await fetch(`${gateway.url}/v1/collections/todo/changes?mode=stream`);
    const events = stream.text();
    const poll = fetch(`${gateway.url}/v1/collections/todo/changes?mode=longpoll&timeout=60`);
    const request = await unfinished(gateway);
    const asking = keepAsking(gateway);
    gateway.signal('SIGTERM');
    const connections = await asking;
    expect(connections.slice(0, -2)).toEqual(connections.slice(0, -2).map(() => 'keep-alive'));
    expect(await events).toMatch(/^: the service is shutting down; connect again with Last-Event-ID$/m);
    const answer = await poll;
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toMatchObject({ changes: [], ended: 'shutting-down' });
    await unused.closed;
    expect(gateway.hasEnded).toBe(false);
    request.send(item);
    await request.closed;
    expect(request.received).toMatch(/^HTTP\/1\.1 201 .*^Connection: close\r$/ms);
    expect(await gateway.ended).toBe(0);
  });

  test('cuts what is not finished within the grace', async () => {
    const gateway = await startGateway({ SHUTDOWN_GRACE_SECONDS: '0.2' });
    const request = await unfinished(gateway);
    gateway.signal('SIGTERM');
    await request.closed;
    expect(request.received).toBe('');
    expect(await gateway.ended).toBe(0);
    expect(gateway.output).toContain('requests cut after 0.2 s (SHUTDOWN_GRACE_SECONDS): 1');
  });

  test('ends at once on the second signal', async () => {
    const gateway = await startGateway();
    await unfinished(gateway);
    gateway.signal('SIGTERM');
    await until(async () => (await gateway.status('/health/live')) === undefined);
    expect(gateway.hasEnded).toBe(false);
    gateway.signal('SIGINT');
    expect(await gateway.ended).toBe(130);
  });

  test('can go on for a while, not ready any more, until load balancers have noticed', async () => {
    const gateway = await startGateway({ SHUTDOWN_DELAY_SECONDS: '600' });
    expect((await fetch(`${gateway.url}/`)).headers.get('connection')).toBe('keep-alive');
    gateway.signal('SIGTERM');
    await until(async () => (await checks(gateway.url))['service'] === 'it is shutting down');
    expect(await gateway.status('/health/ready')).toBe(503);
    const response = await fetch(`${gateway.url}/v1/collections/todo`);
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toBe(143);
  });
});

describe('While Redis and MongoDB are away', () => {
  let away: Record<string, string>;
  let mongodb: PrivateMongodb;
  let redis: PrivateRedis;
  beforeEach(async () => {
    mongodb = await PrivateMongodb.prepare();
    redis = await PrivateRedis.start();
    await redis.kill();
    away = { MONGODB_URI: mongodb.uri, REDIS_URL: redis.url, MONGODB_SELECTION_SECONDS: '1' };
  });
  afterEach(async () => {
    await Promise.all(running.map((service) => service.kill()));
    await redis.end();
    await mongodb.end();
  });

  const all = ['fetcher', 'merger', 'publisher', 'gateway'];
  test.each(all)('the %s starts, says what it waits for, and ends on a signal', async (name) => {
    const service = await start(name, { ...away, SHUTDOWN_GRACE_SECONDS: '3600' });
    expect(await service.status('/health/ready')).toBe(503);
    // A busy service may reach the limit of an attempt to connect before it sees that it is refused.
    const { redis: ofRedis } = await until(
      () => checks(service.url),
      (read) => read['mongodb']?.includes('ECONNREFUSED') ?? false,
    );
    expect(ofRedis).not.toBe('up');
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  test('services wait, and work once both are there', async () => {
    const services = await Promise.all(['gateway', 'publisher'].map((name) => start(name, away)));
    const [gateway] = services;
    expect(await gateway?.status('/v1/collections')).toBe(503);
    await redis.restart();
    await mongodb.restart();
    for (const service of services) await service.ready();
    // On a busy machine MongoDB may take longer than the short limit.
    await until(async () => (await fetch(`${gateway?.url}/v1/collections/todo`, { method: 'PUT' })).ok);
    const create = (): Promise<Response> =>
      fetch(`${gateway?.url}/v1/collections/todo/items`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'first' },
        body: item,
      });
    expect((await until(create, ({ status }) => status !== 503)).status).toBe(201);
    const feed = async (): Promise<string> => (await fetch(`${gateway?.url}/feeds/todo.atom`)).text();
    await until(async () => (await feed()).includes('An item'));
  });
});
