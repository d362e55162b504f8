import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DeletionView } from '#contracts';
import { collectionKey } from '#core';
import { PipelineUnderTest } from '../medium/pipeline/pipeline-under-test.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const key = collectionKey('reading');
const size = 1100;

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

async function send(
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
): Promise<Response> {
  const url = `${await pipeline.healthUrl('gateway')}/v1/collections/reading${path}`;
  return fetch(url, { method, ...(body !== undefined && { body, headers: { 'content-type': type } }) });
}

test('a large folder is deleted once, although the merger that works on it is killed', async () => {
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
