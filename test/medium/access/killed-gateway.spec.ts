import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { TenantView } from '#contracts';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { ownRedisDatabase } from '../../support/redis-database.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { until } from '../../support/until.ts';

const created = 5;

let environment: Record<string, string>;
let store: OpenStore;

beforeAll(async () => {
  const mongodb = new URL(process.env['MONGODB_URI'] ?? '');
  mongodb.pathname = `/feedmesh-test-${randomBytes(8).toString('hex')}`;
  environment = {
    REDIS_URL: await ownRedisDatabase(),
    MONGODB_URI: mongodb.href,
    LOG_LEVEL: 'fatal',
    FEEDMESH_ENDPOINT: 'test',
    TENANT_RECOUNT_SECONDS: '1',
  };
  store = await openStore({ uri: mongodb.href });
});
afterAll(() => store?.close());

test('what a gateway has written and not counted when it is killed is counted by a merger', async () => {
  const gateway = await ServiceProcess.start('gateway', environment);
  const send = (method: string, path: string, body: object): Promise<Response> =>
    fetch(gateway.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await send('PUT', '/v1/tenants/acme', {});
  await send('PUT', '/v1/collections/acme.todo', {});
  const create = (id: string): Promise<Response> =>
    send('POST', '/v1/collections/acme.todo/items', { id, title: 'Tea' });
  const responses = await Promise.all(
    Array.from({ length: created }, (_value, number) => create(`i${number}`)),
  );
  await gateway.kill();
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: created }, () => 201));
  expect(await store.items.list(collectionKey('acme.todo'), { limit: 9 })).toHaveLength(created);

  const merger = await ServiceProcess.start('merger', environment);
  const another = await ServiceProcess.start('gateway', environment);
  try {
    await until(async () => {
      const { usage } = (await (await fetch(`${another.url}/v1/tenants/acme`)).json()) as TenantView;
      return usage.items === created && usage.bytes > 0;
    });
  } finally {
    await merger.kill();
    await another.kill();
  }
});
