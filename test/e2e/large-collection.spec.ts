import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { write } from '../acceptance/store/samples.ts';
import { PipelineUnderTest } from '../medium/pipeline/pipeline-under-test.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const key = collectionKey('reading');
const size = 20_000;
const atOnce = 1000;

let pipeline: PipelineUnderTest;
const mergers: ServiceProcess[] = [];

beforeEach(async () => {
  pipeline = await PipelineUnderTest.open({ DELETE_RECONCILE_MS: '100' });
  await pipeline.start('publisher', 'gateway');
});

afterEach(async () => {
  await Promise.all(mergers.splice(0).map((merger) => merger.kill()));
  await pipeline.close();
});

async function startMerger(): Promise<ServiceProcess> {
  const { HEALTH_PORT: _port, ...environment } = pipeline.environment;
  const merger = await ServiceProcess.start('merger', environment);
  mergers.push(merger);
  return merger;
}

async function send(method: string, path = ''): Promise<Response> {
  return fetch(`${await pipeline.healthUrl('gateway')}${path || '/v1/collections/reading'}`, { method });
}

const first = async (): Promise<string | undefined> =>
  (await pipeline.store.items.list(key, { limit: 1 }))[0]?.id;
const left = async (): Promise<number> => (await pipeline.store.items.list(key, { limit: 2 * size })).length;

test('a large collection is gone at once, and what it had although the merger is killed', async () => {
  expect((await send('PUT')).status).toBe(201);
  for (let start = 0; start < size; start += atOnce)
    await pipeline.store.items.compareAndSet(
      Array.from({ length: atOnce }, (_, place) => write(key, `item-${start + place}`)),
    );
  expect((await send('GET', '/feeds/reading.atom')).status).toBe(200);
  expect((await send('DELETE')).status).toBe(204);
  for (const path of ['', '/v1/collections/reading/items', '/feeds/reading.atom'])
    expect((await send('GET', path)).status).toBe(404);
  expect((await send('DELETE')).status).toBe(404);
  const refused = await send('PUT');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, '5']);
  expect(await refused.json()).toMatchObject({ type: 'urn:feedmesh:problem:collection-being-removed' });

  const former = await left();
  expect(former).toBeGreaterThan(size / 2);
  const next = await first();
  const killed = await startMerger();
  await until(first, (id) => id !== next);
  await killed.kill();
  const rest = await left();
  expect(rest).toBeLessThan(former);
  expect(rest).toBeGreaterThan(0);
  await startMerger();
  const created = await until(
    () => send('PUT'),
    ({ status }) => status !== 409,
  );
  expect(created.status).toBe(201);
  expect(await left()).toBe(0);
  expect(await (await send('GET', '/v1/collections/reading/items')).json()).toMatchObject({ items: [] });
  expect(await (await send('GET', '/feeds/reading.atom')).text()).not.toContain('<entry');
});
