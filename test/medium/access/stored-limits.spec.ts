import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TenantView } from '#contracts';
import { collectionKey } from '#core';
import { problemIn, startGateway } from '../gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../gateway/gateway-under-test.ts';
import { until } from '../../support/until.ts';
import { sendCommand } from '../gateway/send-command.ts';

let gateway: GatewayUnderTest;
let another: Awaited<ReturnType<GatewayUnderTest['startAnother']>>;

beforeAll(async () => {
  gateway = await startGateway();
  another = await gateway.startAnother();
});
afterAll(async () => {
  await another?.close();
  await gateway?.close();
});

async function tenant(name: string, limits: Record<string, number>, body: object = {}): Promise<string> {
  expect((await gateway.send('PUT', `/v1/tenants/${name}`, { limits })).ok).toBe(true);
  expect((await gateway.send('PUT', `/v1/collections/${name}.todo`, body)).ok).toBe(true);
  return `/v1/collections/${name}.todo/items`;
}

async function usageOf(name: string): Promise<TenantView['usage']> {
  return ((await (await gateway.send('GET', `/v1/tenants/${name}`)).json()) as TenantView).usage;
}

const create = (items: string, id: string, more: object = {}): Promise<Response> =>
  gateway.send('POST', items, { id, title: 'Tea', ...more });

describe('a limit of items', () => {
  test('is named when it is reached; what is there is changed, deleted and frees space', async () => {
    const items = await tenant('few', { items: 2 });
    expect((await create(items, 'a')).status).toBe(201);
    expect((await create(items, 'b')).status).toBe(201);
    const refused = await problemIn(await create(items, 'c'));
    expect([refused.status, refused.rule, refused.detail]).toEqual([
      403,
      'tenant-limit',
      'The tenant "few" may have 2 items (its own limit) and has 2.',
    ]);
    expect(await gateway.store.items.list(collectionKey('few.todo'), { limit: 9 })).toHaveLength(2);
    expect((await gateway.send('PUT', `${items}/a`, { title: 'Coffee' })).status).toBe(200);
    expect((await gateway.send('DELETE', `${items}/a`)).status).toBe(200);
    expect(await usageOf('few')).toMatchObject({ collections: 1, items: 1, files: 0 });
    expect((await create(items, 'c')).status).toBe(201);
    expect((await problemIn(await gateway.send('POST', `${items}/a/undelete`))).rule).toBe('tenant-limit');
    expect((await gateway.send('DELETE', items.replace('/items', ''))).ok).toBe(true);
    expect(await usageOf('few')).toMatchObject({ collections: 0, items: 0, bytes: 0 });
  });

  test('that is lowered below what there is leaves everything, and lets it shrink', async () => {
    const items = await tenant('over', {});
    for (const id of ['a', 'b', 'c']) await create(items, id);
    await tenant('over', { items: 1, bytes: 1 });
    // Within a second every gateway knows the limit.
    let number = 0;
    await until(async () => (await create(items, `d${(number += 1)}`)).status === 403);
    const bytes = (await usageOf('over')).bytes;
    expect((await gateway.send('PUT', `${items}/a`, { title: 'T' })).status).toBe(200);
    expect((await gateway.send('DELETE', `${items}/b?data=remove`)).status).toBe(200);
    expect((await usageOf('over')).bytes).toBeLessThan(bytes + 200);
    const long = await problemIn(await gateway.send('PUT', `${items}/a`, { title: 'T'.repeat(3000) }));
    expect(long.detail).toMatch(/^The tenant "over" may have 1 byte \(its own limit\) and has [0-9]+\.$/);
  });

  test('is kept by two gateways that create items at the same time, but for those in progress', async () => {
    const items = await tenant('both', { items: 20 });
    const statuses: number[] = [];
    const worker = async (url: string, name: string): Promise<void> => {
      for (let number = 0; number < 20; number += 1) {
        const response = await fetch(url + items, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id: `${name}-${number}`, title: 'Tea' }),
        });
        statuses.push(response.status);
      }
    };
    await Promise.all(
      [gateway.url, another.url].flatMap((url, place) => [
        worker(url, `${place}a`),
        worker(url, `${place}b`),
      ]),
    );
    const created = statuses.filter((status) => status === 201).length;
    expect(created).toBeGreaterThanOrEqual(20);
    expect(created).toBeLessThanOrEqual(20 + 3);
    expect((await usageOf('both')).items).toBe(created);
  });

  test('refuses the command that would exceed it, which can be retried once there is space', async () => {
    const items = await tenant('queued', { items: 1 });
    await create(items, 'a');
    const item = { title: 'Tea' };
    const data = { version: 1, collection: 'queued.todo', action: 'create', id: 'b', item };
    await sendCommand(gateway, 'edit', data, { attempts: 3 });
    const letters = () => gateway.store.deadLetters.list({ limit: 9 });
    const [letter] = await until(async () => {
      const found = await letters();
      return found.length > 0 && found;
    });
    expect(JSON.stringify(letter)).toContain('may have 1 item (its own limit) and has 1.');
    const retried = `/v1/dead-letters/${letter?.id}/retry`;
    expect((await problemIn(await gateway.send('POST', retried))).rule).toBe('tenant-limit');
    await gateway.send('DELETE', `${items}/a`);
    expect((await gateway.send('POST', retried)).status).toBe(204);
    expect((await gateway.send('GET', `${items}/b`)).status).toBe(200);
  });

  test('refuses an outline as a whole that has more', async () => {
    await tenant('lists', { items: 2 }, { format: 'opml' });
    const outline = (count: number): string =>
      `<opml version="2.0"><head/><body>${'<outline text="a"/>'.repeat(count)}</body></opml>`;
    const send = (count: number): Promise<Response> =>
      gateway.send('PUT', '/v1/collections/lists.todo/outline', outline(count), {
        'content-type': 'text/x-opml',
      });
    expect((await problemIn(await send(3))).rule).toBe('tenant-limit');
    expect(await usageOf('lists')).toMatchObject({ items: 0 });
    expect((await send(2)).ok).toBe(true);
  });
});

describe('limits of bytes and files', () => {
  test('end an upload that exceeds them, of which nothing is kept', async () => {
    await tenant('docs', { files: 2, bytes: 3_000_000 }, { protocol: 'cse' });
    const upload = (text: string): Promise<Response> =>
      gateway.send('POST', '/v1/collections/docs.todo/files', text, { 'content-type': 'text/plain' });
    expect((await upload('a'.repeat(2_000_000))).status).toBe(201);
    const { bytes } = await usageOf('docs');
    const tooLong = await problemIn(await upload('b'.repeat(1_500_000)));
    expect([tooLong.rule, tooLong.detail]).toEqual([
      'tenant-limit',
      expect.stringContaining('may have 3000000 bytes (its own limit)'),
    ]);
    expect(await usageOf('docs')).toMatchObject({ bytes, files: 1 });
    expect((await upload('c')).status).toBe(201);
    expect((await problemIn(await upload('d'))).detail).toContain(
      'may have 2 files (its own limit) and has 2.',
    );
    expect(await gateway.store.contents.list(collectionKey('docs.todo'), { limit: 9 })).toHaveLength(2);
  });
});

test('collections of no tenant are not counted, and no other tenant notices', async () => {
  await tenant('full', { items: 0 });
  const calm = await tenant('calm', {});
  await gateway.send('PUT', '/v1/collections/plain', {});
  expect((await create('/v1/collections/full.todo/items', 'a')).status).toBe(403);
  expect((await create(calm, 'a')).status).toBe(201);
  await gateway.store.tenants.counted();
  const operations = await gateway.operations(() => create('/v1/collections/plain/items', 'a'));
  const names = operations.map(({ name }) => name);
  expect(names).toContain('insert items');
  expect(names.filter((name) => / (?:usage|tenants)$/.test(name))).toEqual([]);
});
