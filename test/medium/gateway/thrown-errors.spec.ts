import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { leaveMongodbDatabase, ownMongodbDatabase } from '../../support/mongodb-database.ts';
import { emptyRedis, ownRedisDatabase } from '../../support/redis-database.ts';
import { RawRequest } from '../../support/raw-request.ts';
import { thrown } from '../../support/throwing-gateway/hooks.ts';
import type { Failure } from '../../support/throwing-gateway/hooks.ts';
import type { Order } from '../../support/throwing-gateway/main.ts';
import { until } from '../../support/until.ts';

const key = randomBytes(24).toString('base64url');
const authorization = `Authorization: Bearer ${key}`;

let gateway: ChildProcess;
let ended: Promise<never>;
let url: string;
let output = '';
let [mongodbUri, redisUrl] = ['', ''];
/** The hooks that each request calls. */
const hooksOf = new Map<string, string[]>();

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  [mongodbUri, redisUrl] = [await ownMongodbDatabase(), await ownRedisDatabase()];
  gateway = fork('dist/test/support/throwing-gateway/main.js', {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PORT: String(port),
      MONGODB_URI: mongodbUri,
      REDIS_URL: redisUrl,
      AUTH: 'required',
      AUTH_ADMIN_KEY: key,
      AUTH_SECRETS: randomBytes(32).toString('base64'),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [gateway.stdout, gateway.stderr])
    stream?.on('data', (piece: Buffer) => (output += piece.toString()));
  ended = once(gateway, 'exit').then(() => Promise.reject(new Error(`the gateway has ended: ${output}`)));
  ended.catch(() => {});
  await Promise.race([once(gateway, 'message'), ended]);
  const given: readonly Sent[] = [
    { method: 'PUT', path: '/v1/collections/todo', body: '{}' },
    { method: 'PUT', path: '/v1/collections/tree', body: '{"protocol":"cse"}' },
    { method: 'PUT', path: '/v1/collections/quiet', body: '{}' },
    { method: 'POST', path: '/v1/collections/todo/items', body: '{"id":"a","title":"A"}' },
    { method: 'PUT', path: '/v1/tenants/acme', body: '{"limits":{"requestsPerSecond":1}}' },
    { method: 'PUT', path: '/v1/collections/acme.todo', body: '{}' },
  ];
  for (const one of given) expect((await send('given', one)).status).toMatch(/^20\d$/);
});
afterAll(async () => {
  gateway?.kill('SIGKILL');
  await emptyRedis(redisUrl);
  await leaveMongodbDatabase(mongodbUri);
});

async function order<Answer>(what: Order): Promise<Answer> {
  if (gateway.exitCode !== null) throw new Error(`the gateway has ended: ${output}`);
  const answer = Promise.race([once(gateway, 'message'), ended]);
  gateway.send(what);
  return ((await answer) as [Answer])[0];
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: readonly string[];
  /** Sent right behind the request. */
  readonly more?: string;
}

/** What has come of a request; no status if the connection was closed without one. */
interface Outcome {
  readonly status: string | undefined;
  readonly text: string;
}

/** Sends a request, and returns what has come until its connection is closed, or its response has begun. */
async function send(id: string, { method, path, body, headers = [], more = '' }: Sent): Promise<Outcome> {
  const raw = await RawRequest.open(url);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    authorization,
    `X-Request-Id: ${id}`,
    'Connection: close',
    ...headers,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  raw.send(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}${more}`);
  const isEndless = path.includes('mode=stream');
  await (isEndless ? raw.begun : raw.closed);
  raw.close();
  // The end of a stream that its client leaves is noticed later.
  if (isEndless)
    await until(async () =>
      (await order<string[]>({ kind: 'hits' })).some((hook) => hook.startsWith('response close')),
    );
  const text = raw.received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  return { status: /^HTTP\/1\.1 (\d+)/.exec(text)?.[1], text };
}

const items = '/v1/collections/todo/items';
let created = 0;
const item = (): string => `{"id":"i${(created += 1)}","title":"An item"}`;

/** Requests that together call as much of the gateway as possible. */
const requests: Readonly<Record<string, () => Sent>> = {
  read: () => ({ method: 'GET', path: items }),
  'read one': () => ({ method: 'GET', path: `${items}/a` }),
  create: () => ({ method: 'POST', path: items, body: item() }),
  update: () => ({ method: 'PUT', path: `${items}/a`, body: '{"title":"B"}' }),
  'create once': () => ({
    method: 'POST',
    path: items,
    body: item(),
    headers: [`Idempotency-Key: ${randomBytes(8).toString('hex')}`],
  }),
  expecting: () => ({ method: 'POST', path: items, body: item(), headers: ['Expect: 100-continue'] }),
  'a wrong expectation': () => ({ method: 'POST', path: items, body: item(), headers: ['Expect: more'] }),
  'a wrong body': () => ({ method: 'POST', path: items, body: '{' }),
  'an unknown path': () => ({ method: 'GET', path: '/v1/nothing' }),
  'a wrong method': () => ({ method: 'DELETE', path: '/v1/keys' }),
  'a feed': () => ({ method: 'GET', path: '/feeds/todo.atom' }),
  'an event stream': () => ({ method: 'GET', path: '/v1/collections/quiet/changes?mode=stream' }),
  'a file': () => ({
    method: 'POST',
    path: '/v1/collections/tree/files',
    body: randomBytes(8).toString('hex'),
  }),
  'a key': () => ({
    method: 'POST',
    path: '/v1/keys',
    body: '{"name":"one","grants":[{"permissions":["read"],"collections":"todo"}]}',
  }),
  'a tenant': () => ({ method: 'GET', path: '/v1/tenants' }),
  subscribe: () => ({
    method: 'PUT',
    path: '/v1/collections/todo/subscriptions/s',
    body: '{"url":"https://peer.example/feed"}',
  }),
  index: () => ({ method: 'GET', path: '/', headers: ['Accept: text/html'] }),
  metrics: () => ({ method: 'GET', path: '/metrics' }),
  ready: () => ({ method: 'GET', path: '/health/ready' }),
  documentation: () => ({ method: 'GET', path: '/openapi.json' }),
  'malformed bytes': () => ({
    method: 'POST',
    path: items,
    headers: ['Transfer-Encoding: chunked'],
    more: 'zz',
  }),
};

interface LogLine {
  readonly level: string;
  readonly request_id?: string;
}

/** What the log says of the error that a hook has thrown. */
function linesAbout(hook: string, failure: Failure): LogLine[] {
  const text = JSON.stringify(`${thrown}: ${failure} ${hook}`).slice(1, -1);
  return output
    .split('\n')
    .filter((line) => line.includes(`${text}"`) || line.includes(`${text}\\n`))
    .map((line) => JSON.parse(line) as LogLine);
}

/** What calls of these ends in a response, and not beside it. */
const responding = /^(?:step|route|Guards|Pipes|Filters|authentication|limiter|suspended|audit|store|jobs)\b/;
/** What of a server is about no request. */
const unrequested = /^(?:server (?!request)|socket)/;

describe('an error that is thrown', () => {
  beforeAll(async () => {
    for (const [name, request] of Object.entries(requests)) {
      // What is made once is made by the first one.
      await send('known', request());
      await order({ kind: 'forget' });
      await send('known', request());
      hooksOf.set(name, await order<string[]>({ kind: 'hits' }));
    }
  });

  test.each<[string, Failure]>([
    ['by', 'throw'],
    ['in a promise of', 'reject'],
  ])('%s any hook ends a request with 500, or its connection, and is logged once', async (_how, failure) => {
    const tried = new Set<string>();
    for (const [name, request] of Object.entries(requests))
      for (const hook of hooksOf.get(name) ?? []) {
        if (tried.has(hook)) continue;
        await order({ kind: 'arm', name: hook, failure });
        const { status, text } = await send(`${failure}-${tried.size}`, request());
        if (await order<boolean>({ kind: 'disarm' })) continue;
        tried.add(hook);
        if (responding.test(hook))
          expect({ hook, name, status, text }).toEqual({
            hook,
            name,
            status: expect.stringMatching(/^50[03]$/),
            text: expect.stringContaining('"urn:feedmesh:problem:'),
          });
        const lines = await until(
          () => linesAbout(hook, failure),
          ({ length }) => length > 0,
        );
        expect([hook, lines]).toEqual([
          hook,
          [expect.objectContaining({ level: expect.stringMatching('error|warn') })],
        ]);
        if (lines[0]?.level === 'error' && !unrequested.test(hook))
          expect([hook, lines[0].request_id]).toEqual([hook, expect.any(String)]);
        expect([hook, gateway.exitCode]).toEqual([hook, null]);
      }
    expect(tried.size).toBeGreaterThan(60);
  });

  test('leaves nothing in progress, so that the gateway ends at once', async () => {
    const exit = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(output).not.toContain('requests cut');
  });
});
