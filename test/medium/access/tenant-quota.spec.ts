import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { IssuedKeyView } from '#contracts';
import { PrivateRedis } from '../../acceptance/queue/support/redis.ts';
import { until } from '../../support/until.ts';
import { problemIn, startGateway } from '../gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../gateway/gateway-under-test.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

/** Requests that a tenant may send at once if it may send one a second. */
const burst = 40;
const settings = {
  ...keysRequired,
  TENANT_BURST_SECONDS: String(burst),
  // On a busy machine this process itself is away for longer than Redis may be.
  TENANT_QUOTA_TIMEOUT_MS: '10000',
};

let redis: PrivateRedis;
let gateway: GatewayUnderTest;
let another: Awaited<ReturnType<GatewayUnderTest['startAnother']>>;

beforeAll(async () => {
  redis = await PrivateRedis.start();
  gateway = await startGateway({ ...settings, REDIS_URL: redis.url });
  another = await gateway.startAnother();
});
afterAll(async () => {
  await another?.close();
  await gateway?.close();
  await redis?.end();
});

const send = (method: string, path: string, key: string, body?: unknown): Promise<Response> =>
  gateway.send(method, path, body, { authorization: `Bearer ${key}` });

/** A tenant with these limits, a collection `todo` that anyone may read, and a key for all it has. */
async function tenantWith(name: string, limits: object): Promise<string> {
  expect((await send('PUT', `/v1/tenants/${name}`, administrator, { limits })).status).toBe(201);
  await send('PUT', `/v1/collections/${name}.todo`, administrator);
  const visibility = { visibility: 'public' };
  await send('PUT', `/v1/collections/${name}.todo/visibility`, administrator, visibility);
  const grants = [{ permissions: ['admin'], collections: `${name}.*` }];
  const issued = await send('POST', '/v1/keys', administrator, { name: 'one', grants });
  return ((await issued.json()) as Required<IssuedKeyView>).key;
}

/** Sends so many requests to both gateways at once; returns how many were let through, and the others. */
async function flood(
  count: number,
  path: string,
  key?: string,
): Promise<{ readonly through: number; readonly refused: Response[]; readonly seconds: number }> {
  const begin = performance.now();
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const responses = await Promise.all(
    Array.from({ length: count }, (_, place) =>
      fetch((place % 2 === 0 ? gateway.url : another.url) + path, { headers }),
    ),
  );
  const refused = responses.filter(({ status }) => status === 429);
  const through = responses.filter(({ status }) => status === 200).length;
  expect(through + refused.length).toBe(count);
  return { through, refused, seconds: (performance.now() - begin) / 1000 };
}

async function metrics(): Promise<string[]> {
  return (await (await send('GET', '/metrics', administrator)).text()).split('\n');
}

describe('requests of a tenant', () => {
  test('are let through at all gateways together as its limit says, whatever they are for', async () => {
    const key = await tenantWith('acme', { requestsPerSecond: 1 });
    const other = await tenantWith('other', {});
    const path = '/v1/collections/acme.todo';
    const { through, refused, seconds } = await flood(400, path, key);
    expect(through).toBeGreaterThanOrEqual(burst);
    expect(through).toBeLessThanOrEqual(burst + Math.ceil(seconds));
    const [first] = refused as [Response];
    const problem = await problemIn(first);
    expect([problem.rule, problem.detail]).toEqual([
      'tenant-throttled',
      'The tenant "acme" may send 1 request a second (requestsPerSecond, its own limit). ' +
        'Try again in 1 second.',
    ]);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'retry-after': '1',
      ratelimit: '"requestsPerSecond";r=0;t=1',
      'ratelimit-policy': `"requestsPerSecond";q=${burst};w=${burst}`,
    });
    // One comes in each second: of twenty, most are refused.
    for (const elsewhere of ['/v1/collections', '/nowhere', '/feeds/acme.todo.atom', path]) {
      const more = await Promise.all(Array.from({ length: 20 }, () => send('GET', elsewhere, key)));
      expect([elsewhere, more.some(({ status }) => status === 429)]).toEqual([elsewhere, true]);
    }
    for (const caller of [administrator, other])
      expect((await send('GET', '/feeds/acme.todo.atom', caller)).status).toBe(200);
    expect((await send('GET', path, other)).status).toBe(403);
    expect(await metrics()).toContainEqual(
      expect.stringMatching(
        /^feedmesh_tenant_refusals_total\{tenant="acme",limit="requestsPerSecond"\} [1-9]\d{2}$/,
      ),
    );
  });

  test('for its public feeds count, and those that are refused without a key do not', async () => {
    await tenantWith('open', { requestsPerSecond: 1 });
    for (let count = 0; count < 3 * burst; count += 1)
      expect((await gateway.send('GET', '/v1/collections/open.todo')).status).toBe(401);
    expect((await gateway.send('GET', '/v1/dead-letters?collection=open.todo')).status).toBe(401);
    const { through, seconds } = await flood(3 * burst, '/feeds/open.todo.atom');
    expect(through).toBeGreaterThanOrEqual(burst);
    expect(through).toBeLessThanOrEqual(burst + Math.ceil(seconds));
  });

  test('are refused before their body is read, and without a question to MongoDB', async () => {
    const key = await tenantWith('early', { requestsPerSecond: 1 });
    await flood(3 * burst, '/feeds/early.todo.atom', key);
    const bodies = Array.from({ length: 20 }, () => sendSlowly('/v1/collections/early.todo/items', key));
    // One of them may be let through, and its body is waited for.
    const { statusCode } = await Promise.race(bodies.map(({ response }) => response));
    expect(statusCode).toBe(429);
    for (const { sent } of bodies) sent.destroy();
    const reads = async (by: string): Promise<number> => {
      const asked = await gateway.operations(async () => {
        for (let count = 0; count < 20; count += 1)
          await (await send('GET', '/v1/collections/early.none', by)).arrayBuffer();
      });
      return asked.filter(({ name }) => name.endsWith(' collections')).length;
    };
    expect(await reads(administrator)).toBe(20);
    expect(await reads(key)).toBeLessThan(15);
  });

  test('are counted for the collection that a query names', async () => {
    await tenantWith('late', { requestsPerSecond: 1 });
    const grants = [{ permissions: ['read'], collections: '*' }];
    const issued = await send('POST', '/v1/keys', administrator, { name: 'all', grants });
    const { key } = (await issued.json()) as Required<IssuedKeyView>;
    const { through, refused } = await flood(3 * burst, '/v1/dead-letters?collection=late.todo', key);
    expect(through).toBeGreaterThanOrEqual(burst);
    expect(refused.length).toBeGreaterThan(0);
    expect((await send('GET', '/v1/collections', key)).status).toBe(200);
  });
});

test('event streams and waiting long polls of a tenant are as many as it may have, everywhere', async () => {
  const key = await tenantWith('live', { eventStreams: 1 });
  const headers = { authorization: `Bearer ${key}` };
  const path = '/v1/collections/live.todo/changes?mode=';
  const one = new AbortController();
  const stream = await fetch(`${gateway.url}${path}stream`, { headers, signal: one.signal });
  expect(stream.status).toBe(200);
  for (const url of [gateway.url, another.url])
    for (const mode of ['stream', 'longpoll']) {
      const problem = await problemIn(await fetch(url + path + mode, { headers }));
      expect([problem.status, problem.rule, problem.detail]).toEqual([
        429,
        'tenant-throttled',
        'The tenant "live" may have 1 event streams and waiting long polls at the same time ' +
          '(eventStreams, its own limit). Try again in 5 seconds.',
      ]);
    }
  one.abort();
  const other = new AbortController();
  const open = (): Promise<Response> =>
    fetch(`${another.url}${path}stream`, { headers, signal: other.signal });
  await until(async () => (await open()).status === 200);
  other.abort();
  expect(await metrics()).toContainEqual(
    expect.stringMatching(/^feedmesh_tenant_refusals_total\{tenant="live",limit="eventStreams"\} [1-9]/),
  );
});

test('while Redis is away, some are let through and the others refused, which a metric says', async () => {
  const key = await tenantWith('alone', { requestsPerSecond: 1 });
  await redis.freeze();
  try {
    const { through, refused, seconds } = await flood(4 * burst, '/v1/collections/alone.todo', key);
    expect(through).toBeGreaterThan(0);
    expect(through).toBeLessThanOrEqual(2 * (burst + Math.ceil(seconds)));
    expect(refused.length).toBeGreaterThan(0);
    expect(await metrics()).toContain('feedmesh_tenant_limits_local 1');
  } finally {
    redis.thaw();
  }
  await until(async () => {
    await send('GET', '/v1/collections', key);
    return (await metrics()).includes('feedmesh_tenant_limits_local 0');
  });
});

/** Begins a request whose body does not end. */
function sendSlowly(
  path: string,
  key: string,
): { readonly sent: ClientRequest; readonly response: Promise<IncomingMessage> } {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = request(gateway.url + path, { method: 'POST', headers });
  sent.on('error', () => {});
  const response = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
  sent.write('{ "id": "a",');
  return { sent, response };
}
