import { beforeAll, describe, expect, test } from '@jest/globals';
import { collectionKey, itemId } from '#core';
import type { Store } from '#core';
import { gatewayPorts } from '../../../apps/gateway/src/gateway-ports.ts';
import { failing } from '../../support/failing.ts';
import { problemIn } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

interface Shown {
  readonly id: string;
  readonly title?: string;
  readonly revision: number;
  readonly deleted: boolean;
}

const items = '/v1/collections/todo/items';

const gateway = useGateway({ GATEWAY_IDEMPOTENCY_KEYS: '3' });
beforeAll(async () => {
  await gateway.send('PUT', '/v1/collections/todo');
  await gateway.send('PUT', '/v1/collections/outlines', { format: 'opml' });
  await gateway.send('PUT', '/v1/collections/tree', { protocol: 'cse' });
});

/** Sends a request while every write of an item is stored and its acknowledgement lost. */
async function sendUnacknowledged(...request: Parameters<GatewayUnderTest['send']>): Promise<void> {
  const ports = gateway.application.get<{ store: Store }>(gatewayPorts);
  const { store } = ports;
  ports.store = { ...store, items: failing(store.items, 'compareAndSet', 'after') };
  try {
    expect((await problemIn(await gateway.send(...request))).rule).toBe('outcome-unknown');
  } finally {
    ports.store = store;
  }
}

async function create(item: object, collection = 'todo'): Promise<Shown> {
  return (await (await gateway.send('POST', `/v1/collections/${collection}/items`, item)).json()) as Shown;
}

async function read(id: string): Promise<Shown> {
  return (await (await gateway.send('GET', `${items}/${id}`)).json()) as Shown;
}

describe('an edit whose outcome is unknown, sent again under its key', () => {
  test.each([
    ['todo', { title: 'Created once' }],
    ['outlines', { attributes: { text: 'Created once' } }],
    ['tree', { title: 'Created once' }],
  ])('creates one item in %s, with an id that the gateway makes', async (collection, item) => {
    const path = `/v1/collections/${collection}/items`;
    const request = ['POST', path, item, { 'idempotency-key': '"created once"' }] as const;
    await sendUnacknowledged(...request);
    const [first, second] = [await gateway.send(...request), await gateway.send(...request)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.headers.get('location')).toBe(second.headers.get('location'));
    const created = (await first.json()) as Shown;
    expect(created.revision).toBe(1);
    expect(await second.json()).toEqual(created);
    expect(
      ((await (await gateway.send('GET', path)).json()) as { items: Shown[] }).items.map(({ id }) => id),
    ).toEqual([created.id]);
  });

  test.each([
    ['PUT', '', { title: 'Changed' }],
    ['PATCH', '', { title: 'Changed' }],
    ['DELETE', '', undefined],
    ['POST', '/undelete', { title: 'Back' }],
  ])('is made once: %s %s', async (method, action, body) => {
    const { id } = await create({ title: 'Before' });
    if (action === '/undelete') await gateway.send('DELETE', `${items}/${id}`);
    const { revision } = await read(id);
    const request = [
      method,
      `${items}/${id}${action}`,
      body,
      { 'idempotency-key': `k-${id}`, 'if-match': `"${revision}"` },
    ] as const;
    await sendUnacknowledged(...request);
    const response = await gateway.send(...request);
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ revision: revision + 1 }),
    ]);
    expect(await read(id)).toMatchObject({ revision: revision + 1, deleted: method === 'DELETE' });
    const otherRevision = await gateway.send(method, `${items}/${id}${action}`, body, {
      'idempotency-key': `other-${id}`,
      'if-match': `"${revision}"`,
    });
    expect((await problemIn(otherRevision)).status).toBe(412);
  });

  test('is recognised after others have edited the item', async () => {
    const { id } = await create({ title: 'Before' });
    const request = ['PUT', `${items}/${id}`, { title: 'Ours' }, { 'idempotency-key': 'ours' }] as const;
    await sendUnacknowledged(...request);
    await gateway.send('PUT', `${items}/${id}`, { title: 'Theirs' });
    expect(await (await gateway.send(...request)).json()).toMatchObject({ title: 'Theirs', revision: 3 });
  });

  test('deletes all that is in an outline', async () => {
    const folder = await create({ attributes: { text: 'Folder' } }, 'outlines');
    const inside = await create({ attributes: { text: 'Inside' }, parent: folder.id }, 'outlines');
    const path = '/v1/collections/outlines/items';
    const request = ['DELETE', `${path}/${folder.id}`, undefined, { 'idempotency-key': 'folder' }] as const;
    await sendUnacknowledged(...request);
    expect((await gateway.send(...request)).status).toBe(200);
    expect(await (await gateway.send('GET', `${path}/${inside.id}`)).json()).toMatchObject({ deleted: true });
  });
});

test('the same edit many times at once is made once', async () => {
  const { id } = await create({ title: 'Before' });
  const responses = await Promise.all(
    Array.from({ length: 8 }, () =>
      gateway.send('PUT', `${items}/${id}`, { title: 'After' }, { 'idempotency-key': 'at-once' }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(await read(id)).toMatchObject({ title: 'After', revision: 2 });
  const created = await Promise.all(
    Array.from({ length: 8 }, () =>
      gateway.send('POST', items, { title: 'New' }, { 'idempotency-key': 'new-at-once' }),
    ),
  );
  expect(
    new Set(created.map((response) => `${response.status} ${response.headers.get('location')}`)).size,
  ).toBe(1);
});

describe('a key', () => {
  test.each([
    ['another body', 'PUT', '', { title: 'Other' }, {}],
    ['another revision', 'PUT', '', { title: 'First' }, { 'if-match': '"2"' }],
    ['another method', 'PATCH', '', { title: 'First' }, {}],
    ['another action', 'DELETE', '', undefined, {}],
  ])('is refused with %s', async (_what, method, action, body, headers) => {
    const { id } = await create({ title: 'Before' });
    await gateway.send('PUT', `${items}/${id}`, { title: 'First' }, { 'idempotency-key': `k-${id}` });
    const refused = await problemIn(
      await gateway.send(method, `${items}/${id}${action}`, body, {
        'idempotency-key': `k-${id}`,
        ...headers,
      }),
    );
    expect(refused).toMatchObject({ status: 422, rule: 'idempotency-key-reused' });
    expect(await read(id)).toMatchObject({ title: 'First', revision: 2 });
  });

  test('of a new item is refused with another item', async () => {
    const key = { 'idempotency-key': 'new' };
    expect((await gateway.send('POST', items, { title: 'One' }, key)).status).toBe(201);
    expect(await problemIn(await gateway.send('POST', items, { title: 'Two' }, key))).toMatchObject({
      status: 422,
      rule: 'idempotency-key-reused',
    });
  });

  test('is refused with another item, also one that has the id of its sender', async () => {
    const [one, two] = [await create({ title: '1' }), await create({ title: '2' })];
    const put = (id: string): Promise<Response> =>
      gateway.send('PUT', `${items}/${id}`, { title: 'x' }, { 'idempotency-key': 'items' });
    expect((await put(one.id)).status).toBe(200);
    expect(await problemIn(await put(two.id))).toMatchObject({ status: 422, rule: 'idempotency-key-reused' });
    const post = (id: string): Promise<Response> =>
      gateway.send('POST', items, { id, title: 'x' }, { 'idempotency-key': 'ids' });
    expect((await post('made-at-first')).status).toBe(201);
    expect(await problemIn(await post('made-again'))).toMatchObject({
      status: 422,
      rule: 'idempotency-key-reused',
    });
    expect((await gateway.send('GET', `${items}/made-again`)).status).toBe(404);
  });

  test('may be the same in another collection, and goes with its collection', async () => {
    await gateway.send('PUT', '/v1/collections/second');
    const post = (name: string, title: string): Promise<Response> =>
      gateway.send('POST', `/v1/collections/${name}/items`, { title }, { 'idempotency-key': 'shared' });
    expect((await Promise.all([post('todo', 'x'), post('second', 'y')])).map(({ status }) => status)).toEqual(
      [201, 201],
    );
    await gateway.send('DELETE', '/v1/collections/second');
    await gateway.send('PUT', '/v1/collections/second');
    expect((await post('second', 'z')).status).toBe(201);
  });

  test('is forgotten after so many others, and the item holds no more of them', async () => {
    const { id } = await create({ title: '0' });
    const put = async (key: string): Promise<Shown> =>
      (await (
        await gateway.send('PUT', `${items}/${id}`, { title: key }, { 'idempotency-key': key })
      ).json()) as Shown;
    for (const key of ['a', 'b', 'c', 'd']) await put(key);
    expect(await put('b')).toMatchObject({ title: 'd', revision: 5 });
    expect(await put('a')).toMatchObject({ title: 'a', revision: 6 });
    expect(
      (await gateway.store.items.load(collectionKey('todo'), [itemId(id)])).get(itemId(id))?.edits,
    ).toHaveLength(3);
    expect(await read(id)).not.toHaveProperty('edits');
  });

  test.each(['', '"', '""', 'a b', 'ä', `"${'k'.repeat(256)}"`])(
    'that is none is refused: %j',
    async (key) => {
      const response = await fetch(`${gateway.url}${items}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });
      expect(await problemIn(response)).toMatchObject({ status: 400, rule: 'invalid-idempotency-key' });
    },
  );

  test('is refused if the request would be made twice anyway', async () => {
    const response = await gateway.send(
      'POST',
      '/v1/collections/outlines/outline',
      '<opml version="2.0"><head/><body/></opml>',
      { 'content-type': 'text/x-opml', 'idempotency-key': 'k' },
    );
    expect(await problemIn(response)).toMatchObject({ status: 400, rule: 'idempotency-key-unsupported' });
  });
});
