import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Grant, IssuedKeyView, Page } from '#contracts';
import { problemIn } from '../gateway/gateway-under-test.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { untilRefused } from '../../support/until-refused.ts';
import { until } from '../../support/until.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const gateway = useGateway(keysRequired);
/** Keys that permit everything in all collections of their tenant. */
let acme: string;
let other: string;

const send = (method: string, path: string, key: string, body?: unknown): Promise<Response> =>
  gateway.send(method, path, body, { authorization: `Bearer ${key}` });
const jsonOf = async <Body>(response: Promise<Response>): Promise<Body> =>
  (await (await response).json()) as Body;

async function issue(grants: readonly Grant[], by = administrator): Promise<string> {
  return (await jsonOf<Required<IssuedKeyView>>(send('POST', '/v1/keys', by, { name: 'one', grants }))).key;
}

beforeAll(async () => {
  for (const tenant of ['acme', 'acme-b', 'shut'])
    expect((await send('PUT', `/v1/tenants/${tenant}`, administrator)).status).toBe(201);
  acme = await issue([{ permissions: ['admin'], collections: 'acme.*' }]);
  other = await issue([{ permissions: ['admin'], collections: 'acme-b.*' }]);
});

describe('the collections of a tenant', () => {
  test('have what all others have, under names of their own', async () => {
    for (const key of [acme, other]) {
      const name = key === acme ? 'acme.todo' : 'acme-b.todo';
      expect((await send('PUT', `/v1/collections/${name}`, key, { title: name })).status).toBe(201);
      const items = `/v1/collections/${name}/items`;
      expect((await send('POST', items, key, { id: 'a', title: `Tea of ${name}` })).status).toBe(201);
      await gateway.publish(name);
    }
    const feed = await send('GET', '/feeds/acme.todo.atom', acme);
    const text = await feed.text();
    expect(text).toContain('Tea of acme.todo');
    expect(text).toContain(`${gateway.url}/feeds/acme.todo.atom`);
    expect(text).not.toContain('acme-b');
    for (const path of ['/feeds/acme.todo/complete.rss', '/feeds/acme.todo/reader.atom'])
      expect(await (await send('GET', path, acme)).text()).toContain('Tea of acme.todo');
    const changes = await jsonOf<{ changes: object[] }>(
      send('GET', '/v1/collections/acme.todo/changes', acme),
    );
    expect(JSON.stringify(changes)).not.toContain('acme-b');
  });

  test('are listed to nobody else, whatever cursor is given', async () => {
    const names = async (key: string, query = ''): Promise<string[]> =>
      (await jsonOf<Page<{ name: string }>>(send('GET', `/v1/collections${query}`, key))).items.map(
        ({ name }) => name,
      );
    expect(await names(acme)).toEqual(['acme.todo']);
    expect(await names(other)).toEqual(['acme-b.todo']);
    const cursor = Buffer.from('acme-b.').toString('base64url');
    expect(await names(acme, `?cursor=${cursor}`)).toEqual(['acme.todo']);
    expect(await names(acme, `?cursor=${Buffer.from('zzz').toString('base64url')}`)).toEqual([]);
    expect(await names(administrator)).toEqual(['acme-b.todo', 'acme.todo']);
  });

  test('answer nobody else, with an ETag of theirs or without', async () => {
    const own = await send('GET', '/feeds/acme.todo.atom', acme);
    const etag = own.headers.get('etag') ?? '';
    const headers = { authorization: `Bearer ${other}`, 'if-none-match': etag };
    for (const path of ['/feeds/acme.todo.atom', '/v1/collections/acme.todo/items/a'])
      expect((await gateway.send('GET', path, undefined, headers)).status).toBe(403);
    for (const path of ['/v1/dead-letters', '/v1/subscriptions', '/v1/tenants', '/v1/tenants/acme'])
      expect([path, (await send('GET', path, acme)).status]).toEqual([path, 403]);
    expect((await send('GET', '/v1/dead-letters?collection=acme.todo', acme)).status).toBe(200);
    const two = '/v1/dead-letters?collection=acme.todo&collection=acme-b.todo';
    expect((await send('GET', two, acme)).status).toBe(403);
  });

  test('need the tenant, and a name that is written in one way alone', async () => {
    const missing = await send('PUT', '/v1/collections/none.todo', administrator);
    expect((await problemIn(missing)).rule).toBe('tenant-not-found');
    for (const name of [
      'Acme.todo',
      'acme.',
      '.todo',
      'acme..todo',
      'acme.a.b',
      'ａcme.todo',
      'acme%2etodo%20',
    ])
      expect([name, (await send('PUT', `/v1/collections/${name}`, administrator)).status]).toEqual([
        name,
        400,
      ]);
    // An encoded dot is a dot (RFC 3986, 6.2.2.2), also to the check of the permission.
    expect((await send('PUT', '/v1/collections/acme%2etodo', other)).status).toBe(403);
    expect((await send('PUT', '/v1/collections/acme%2Etodo', acme)).status).toBe(200);
  });
});

describe('a limit of a tenant', () => {
  test('is named with its value when it is reached', async () => {
    const limits = { collections: 2, subscriptions: 1 };
    await send('PUT', '/v1/tenants/acme', administrator, { limits });
    expect((await send('PUT', '/v1/collections/acme.second', acme)).status).toBe(201);
    const third = await problemIn(await send('PUT', '/v1/collections/acme.third', acme));
    expect([third.rule, third.detail]).toEqual([
      'tenant-limit',
      'The tenant "acme" may have 2 collections (its own limit) and has 2.',
    ]);
    expect((await send('PUT', '/v1/collections/acme.second', acme, { title: 'Two' })).status).toBe(200);
    const subscriptions = '/v1/collections/acme.second/subscriptions';
    const first = { url: 'https://one.example/feed' };
    expect((await send('POST', subscriptions, acme, first)).status).toBe(201);
    expect((await send('POST', subscriptions, acme, first)).status).toBe(200);
    const more = await send('POST', subscriptions, acme, { url: 'https://two.example/feed' });
    expect((await problemIn(more)).detail).toContain('may have 1 subscription (its own limit) and has 1');
    expect(await jsonOf(send('GET', '/v1/tenants/acme', administrator))).toMatchObject({
      limits,
      usage: { collections: 2, subscriptions: 1 },
    });
    const inUse = await send('DELETE', '/v1/tenants/acme', administrator);
    expect((await problemIn(inUse)).rule).toBe('tenant-in-use');
  });

  test('is that of the settings without one of its own', async () => {
    const { limits } = await jsonOf<{ limits: object }>(send('GET', '/v1/tenants/acme-b', administrator));
    expect(limits).toEqual({
      collections: 1000,
      subscriptions: 10_000,
      items: 1_000_000,
      bytes: 10_737_418_240,
      files: 100_000,
      requestsPerSecond: 500,
      eventStreams: 1000,
      fetchesPerMinute: 600,
    });
  });
});

describe('a suspended tenant', () => {
  test('gets nothing from any gateway, is cut off, and goes on once it is let in again', async () => {
    const another = await gateway.startAnother();
    try {
      const key = await issue([{ permissions: ['admin'], collections: 'shut.*' }]);
      await send('PUT', '/v1/collections/shut.todo', key);
      await send('PUT', '/v1/collections/shut.todo/visibility', key, { visibility: 'public' });
      const authorization = `Bearer ${key}`;
      const stream = await fetch(`${another.url}/v1/collections/shut.todo/changes?mode=stream`, {
        headers: { authorization },
      });
      expect((await fetch(`${another.url}/feeds/shut.todo.atom`)).status).toBe(200);
      await send('PUT', '/v1/tenants/shut', administrator, { suspended: true });
      await expect(stream.text()).rejects.toThrow();
      for (const path of ['/feeds/shut.todo.atom', '/v1/collections/shut.todo'])
        for (const url of [gateway.url, another.url]) {
          const refused = await untilRefused(403, () => fetch(url + path, { headers: { authorization } }));
          expect((await problemIn(refused)).rule).toBe('tenant-suspended');
        }
      expect((await fetch(`${another.url}/feeds/shut.todo.atom`)).status).toBe(403);
      expect((await send('GET', '/v1/collections/shut.todo', administrator)).status).toBe(200);
      await send('PUT', '/v1/tenants/shut', administrator, { suspended: false });
      await until(async () => (await send('GET', '/v1/collections/shut.todo', key)).status === 200);
    } finally {
      await another.close();
    }
  });
});
