import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConflictingItemView, Grant, IssuedKeyView, Page } from '#contracts';
import { collectionKey, itemId } from '#core';
import { until } from '../../support/until.ts';
import { problemIn } from '../gateway/gateway-under-test.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const gateway = useGateway(keysRequired);

const send = (method: string, path: string, key = administrator, body?: unknown): Promise<Response> =>
  gateway.send(method, path, body, { authorization: `Bearer ${key}` });

async function issue(grants: readonly Grant[]): Promise<string> {
  const response = await send('POST', '/v1/keys', administrator, { name: 'one', grants });
  return ((await response.json()) as Required<IssuedKeyView>).key;
}

/** Marks items as in conflict, as a merge would. */
async function conflict(collection: string, ids: readonly string[]): Promise<void> {
  const key = collectionKey(collection);
  const stored = await gateway.store.items.load(key, ids.map(itemId));
  await gateway.store.items.compareAndSet(
    [...stored.values()].map(({ revision, ...item }) => ({
      expected: revision,
      item: { ...item, conflictCount: 1 },
    })),
  );
}

beforeAll(async () => {
  for (const tenant of ['acme', 'beta']) await send('PUT', `/v1/tenants/${tenant}`);
  for (const name of ['todo', 'todo-2', 'news', 'acme.a', 'acme.b', 'beta.a']) {
    await send('PUT', `/v1/collections/${name}`);
    for (const id of ['one', 'two', 'three'])
      await send('POST', `/v1/collections/${name}/items`, administrator, { id, title: id });
    await conflict(name, ['one', 'two']);
  }
});

async function places(key: string, limit = 100): Promise<string[]> {
  const read: string[] = [];
  for (let cursor: string | undefined; ;) {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor !== undefined && { cursor }) });
    const response = await send('GET', `/v1/conflicts?${query.toString()}`, key);
    expect(response.status).toBe(200);
    const { items, next } = (await response.json()) as Page<ConflictingItemView>;
    read.push(...items.map(({ collection, id }) => `${collection}/${id}`));
    if (next === undefined) return read;
    cursor = next;
  }
}

const of = (...names: readonly string[]): string[] => names.flatMap((name) => [`${name}/one`, `${name}/two`]);

describe('the conflicts of all collections', () => {
  test('are listed to the administrator, by collection and id, page after page', async () => {
    const all = of('acme.a', 'acme.b', 'beta.a', 'news', 'todo', 'todo-2');
    expect(await places(administrator)).toEqual(all);
    expect(await places(administrator, 1)).toEqual(all);
    expect(await places(administrator, 5)).toEqual(all);
  });

  test('are listed to a key for the collections that it may read', async () => {
    const key = await issue([
      { permissions: ['read'], collections: 'todo-*' },
      { permissions: ['write'], collections: 'news' },
      { permissions: ['read'], collections: 'acme.b' },
    ]);
    expect(await places(key)).toEqual(of('acme.b', 'todo-2'));
    expect(await places(key, 1)).toEqual(of('acme.b', 'todo-2'));
  });

  test('are listed to a tenant for its own collections', async () => {
    const key = await issue([{ permissions: ['admin'], collections: 'acme.*' }]);
    expect(await places(key, 3)).toEqual(of('acme.a', 'acme.b'));
  });

  test('leave out those of a suspended tenant, but not to the administrator', async () => {
    const key = await issue([{ permissions: ['read'], collections: '*' }]);
    expect(await places(key)).toContain('beta.a/one');
    await send('PUT', '/v1/tenants/beta', administrator, { suspended: true });
    try {
      await until(
        () => places(key),
        (found) => !found.includes('beta.a/one'),
      );
      expect(await places(key)).toEqual(of('acme.a', 'acme.b', 'news', 'todo', 'todo-2'));
      expect(await places(administrator)).toContain('beta.a/one');
    } finally {
      await send('PUT', '/v1/tenants/beta', administrator, { suspended: false });
    }
  });

  test('need the permission to read', async () => {
    const key = await issue([{ permissions: ['feeds'], collections: '*' }]);
    expect(await problemIn(await send('GET', '/v1/conflicts', key))).toMatchObject({ rule: 'forbidden' });
    expect((await gateway.send('GET', '/v1/conflicts')).status).toBe(401);
  });

  test('are as those of one collection, and no longer listed once they are resolved or removed', async () => {
    const [first] = ((await (await send('GET', '/v1/conflicts?limit=1')).json()) as Page<ConflictingItemView>)
      .items;
    const own = await send('GET', '/v1/collections/acme.a/conflicts?limit=1');
    expect(((await own.json()) as Page<object>).items).toEqual([{ ...first, collection: undefined }]);
    await send('DELETE', '/v1/collections/news');
    await send('PATCH', '/v1/collections/todo/items/one', administrator, { title: 'Mine' });
    expect(await places(administrator)).not.toContain('news/one');
  });

  test('refuse a cursor of another list', async () => {
    const response = await send('GET', '/v1/collections/acme.a/conflicts?limit=1');
    const { next = '' } = (await response.json()) as Page<object>;
    expect(await problemIn(await send('GET', `/v1/conflicts?cursor=${next}`))).toMatchObject({
      rule: 'invalid-input',
      errors: [{ path: 'query.cursor', message: expect.stringContaining('another query') }],
    });
  });
});
