import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DeletionView } from '#contracts';
import { collectionKey } from '#core';
import { write } from '../acceptance/store/samples.ts';
import { PipelineUnderTest } from '../medium/pipeline/pipeline-under-test.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const key = collectionKey('reading');

let pipeline: PipelineUnderTest;
const mergers: ServiceProcess[] = [];

beforeEach(async () => {
  pipeline = await PipelineUnderTest.open({
    DELETE_LEASE_MS: '1000',
    DELETE_RECONCILE_MS: '100',
    JOB_LOCK_MS: '2000',
    JOB_STALLED_CHECK_MS: '500',
  });
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

async function send(method: string, path = '', body?: string, type = 'application/json'): Promise<Response> {
  const below = path.startsWith('/feeds/') ? path : `/v1/collections/reading${path}`;
  const url = `${await pipeline.healthUrl('gateway')}${below}`;
  return fetch(url, { method, ...(body !== undefined && { body, headers: { 'content-type': type } }) });
}

test('a large folder is deleted once, although the merger that works on it is killed', async () => {
  const size = 1100;
  await send('PUT', '', '{"format":"opml"}');
  const inside = Array.from({ length: size }, (_, place) => `<outline text="${place}"/>`).join('');
  const xml = `<opml version="1.0"><head/><body><outline text="Folder">${inside}</outline></body></opml>`;
  expect((await send('PUT', '/outline', xml, 'text/x-opml')).status).toBe(200);
  const [folder] = await pipeline.store.items.placesBelow(key, '', { limit: 1 });
  const begun = await send('DELETE', `/items/${folder?.id}`);
  expect(begun.status).toBe(202);
  const { id } = (await begun.json()) as DeletionView;
  const found = async (): Promise<DeletionView> =>
    (await (await send('GET', `/deletions/${id}`)).json()) as DeletionView;

  const killed = await startMerger();
  await until(found, ({ done }) => done > 0);
  await killed.kill();
  await startMerger();
  expect(await until(found, ({ state }) => state !== 'in-progress')).toMatchObject({
    state: 'done',
    done: size,
    total: size,
  });
  const items = await pipeline.store.items.list(key, { limit: size + 10 });
  expect([items.length, new Set(items.map(({ deleted, revision }) => `${deleted} ${revision}`))]).toEqual([
    size + 1,
    new Set(['true 2']),
  ]);
  const events = await pipeline.published(key);
  const deleted = events.filter(({ type }) => type === 'feedmesh.item.deleted.v1');
  expect(new Set(deleted.map(({ subject }) => subject)).size).toBe(size + 1);
  expect(deleted).toHaveLength(size + 1);
});

test('a large collection is gone at once, and what it had although the merger is killed', async () => {
  const [size, atOnce] = [20_000, 1000];
  const first = async (): Promise<string | undefined> =>
    (await pipeline.store.items.list(key, { limit: 1 }))[0]?.id;
  const left = async (): Promise<number> =>
    (await pipeline.store.items.list(key, { limit: 2 * size })).length;
  expect((await send('PUT')).status).toBe(201);
  for (let start = 0; start < size; start += atOnce)
    await pipeline.store.items.compareAndSet(
      Array.from({ length: atOnce }, (_, place) => write(key, `item-${start + place}`)),
    );
  expect((await send('GET', '/feeds/reading.atom')).status).toBe(200);
  expect((await send('DELETE')).status).toBe(204);
  for (const path of ['', '/items', '/feeds/reading.atom'])
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
  expect(await (await send('GET', '/items')).json()).toMatchObject({ items: [] });
  expect(await (await send('GET', '/feeds/reading.atom')).text()).not.toContain('<entry');
});
