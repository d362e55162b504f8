import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditEntry } from '#core';
import { LogVerifier } from '#core';
import { startGateway } from '../gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../gateway/gateway-under-test.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { until } from '../../support/until.ts';

const administratorKey = randomBytes(24).toString('base64url');
const headers = { authorization: `Bearer ${administratorKey}` };
let gateway: GatewayUnderTest;
let killed: ServiceProcess;

beforeAll(async () => {
  const environment = { AUTH: 'required', AUTH_ADMIN_KEY: administratorKey };
  gateway = await startGateway(environment);
  const databases = { MONGODB_URI: gateway.mongodbUri, REDIS_URL: gateway.redisUrl };
  killed = await ServiceProcess.start('gateway', { ...environment, ...databases, LOG_LEVEL: 'fatal' });
});
afterAll(async () => {
  await killed?.kill();
  await gateway?.close();
});

const log = (): Promise<AuditEntry[]> => gateway.store.audit.list({ limit: 1000 });

test('a change that a gateway was killed in is entered as begun, and the log goes on', async () => {
  await gateway.send('PUT', '/v1/collections/news', { protocol: 'cse' }, headers);
  const upload = request(`${killed.url}/v1/collections/news/files`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'image/png', 'x-request-id': 'upload' },
  });
  upload.on('error', () => {});
  upload.write('the beginning of a file');
  await until(async () => (await log()).some(({ request: id }) => id === 'upload'));
  await killed.kill();
  expect((await log()).filter(({ request: id }) => id === 'upload')).toMatchObject([
    {
      outcome: 'begun',
      operation: 'storeFile',
      collection: 'news',
      actor: { kind: 'administrator' },
      address: '127.0.0.1',
    },
  ]);
  const another = await gateway.startAnother();
  try {
    await fetch(`${another.url}/v1/collections/todo`, { method: 'PUT', headers });
  } finally {
    await another.close();
  }
  const verifier = new LogVerifier();
  for (const entry of await log()) expect(verifier.add(entry)).toBeUndefined();
  expect(verifier.end(new Date())).toBeUndefined();
  expect(verifier.size.chains).toBe(3);
  // The chain of the killed gateway can't be taken away: the one that began after it names its end.
  const chain = (await log()).find(({ request: id }) => id === 'upload')?.chain;
  const without = new LogVerifier();
  for (const entry of await log()) if (entry.chain !== chain) expect(without.add(entry)).toBeUndefined();
  expect(without.end(new Date())).toMatchObject({ kind: 'removed', chain });
});

test('an edit whose entry was never written says in the item who made it', async () => {
  const append = gateway.store.audit.append.bind(gateway.store.audit);
  await gateway.send('PUT', '/v1/collections/todo', {}, headers);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  gateway.store.audit.append = (entries) => released.then(() => append(entries));
  try {
    const sent = gateway.send('POST', '/v1/collections/todo/items', { id: 'a', title: 'A' }, headers);
    const read = () => gateway.send('GET', '/v1/collections/todo/items/a', undefined, headers);
    await until(async () => (await read()).status === 200);
    expect(await (await read()).json()).toMatchObject({ actor: { kind: 'administrator' }, revision: 1 });
    release();
    expect((await sent).status).toBe(201);
  } finally {
    gateway.store.audit.append = append;
  }
});
