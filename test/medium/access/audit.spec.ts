import { beforeAll, describe, expect, test } from '@jest/globals';
import { isChange, operations } from '#contracts';
import type { IssuedKeyView, Operation } from '#contracts';
import { LogVerifier } from '#core';
import type { AuditEntry } from '#core';
import { openCommandQueue } from '#queue';
import { problemIn } from '../gateway/gateway-under-test.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { AuditTrail } from '../../../apps/gateway/src/audit/audit-trail.ts';
import { until } from '../../support/until.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const gateway = useGateway({
  ...keysRequired,
  AUTH_PROXIES: '127.0.0.1/32',
  AUDIT_REFUSALS: '5',
});
let shop: Required<IssuedKeyView>;

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Response> =>
  gateway.send(method, path, body, { ...bearer(administrator), ...headers });
const asShop = (method: string, path: string, body?: unknown, headers = {}): Promise<Response> =>
  gateway.send(method, path, body, { ...bearer(shop.key), ...headers });

/** The whole log. */
const log = (): Promise<AuditEntry[]> => gateway.store.audit.list({ limit: 100_000 });

/** What is entered while something is done. */
async function entered(work: () => Promise<unknown>): Promise<AuditEntry[]> {
  const before = (await log()).length;
  await work();
  return (await log()).slice(before);
}

beforeAll(async () => {
  await send('PUT', '/v1/collections/todo', { title: 'To do' });
  const body = { name: 'shop', grants: [{ permissions: ['read', 'write', 'resolve'], collections: 'todo' }] };
  shop = (await (await send('POST', '/v1/keys', body)).json()) as Required<IssuedKeyView>;
});

describe('an edit', () => {
  test('is entered once, with its caller and both revisions, and the item says who made it', async () => {
    await asShop('POST', '/v1/collections/todo/items', { id: 'a', title: 'A' });
    const headers = { 'x-request-id': 'r-7', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    const entries = await entered(() =>
      asShop('PUT', '/v1/collections/todo/items/a', { title: 'B' }, headers),
    );
    const actor = { kind: 'key', id: shop.id, name: 'shop' };
    expect(entries).toEqual([
      expect.objectContaining({
        outcome: 'done',
        operation: 'updateItem',
        via: 'http',
        request: 'r-7',
        address: '198.51.100.7',
        actor,
        collection: 'todo',
        subject: { kind: 'item', id: 'a' },
        revision: { before: 1, after: 2 },
        status: 200,
      }),
    ]);
    const item = await (await send('GET', '/v1/collections/todo/items/a')).json();
    expect(item).toMatchObject({ revision: 2, actor });
    const changed = await send('PATCH', '/v1/collections/todo/items/a', { title: 'C' });
    expect(await changed.json()).toMatchObject({ actor: { kind: 'administrator' } });
  });

  test('of a new item has the id that the item has got', async () => {
    const entries = await entered(() => asShop('POST', '/v1/collections/todo/items', { title: 'New' }));
    expect(entries).toMatchObject([
      { operation: 'createItem', subject: { kind: 'item' }, revision: { after: 1 } },
    ]);
  });

  test('of many outlines says how many items it has changed', async () => {
    await send('PUT', '/v1/collections/reading', { format: 'opml' });
    const opml = '<opml version="2.0"><body><outline text="a"><outline text="b"/></outline></body></opml>';
    const entries = await entered(() =>
      send('PUT', '/v1/collections/reading/outline', opml, { 'content-type': 'text/x-opml' }),
    );
    expect(entries).toMatchObject([{ operation: 'replaceOutline', items: 2, outcome: 'done' }]);
    const { items } = (await (await send('GET', '/v1/collections/reading/items')).json()) as {
      items: object[];
    };
    for (const item of items) expect(item).toMatchObject({ actor: { kind: 'administrator' } });
  });

  test.each<[string, number, string, object, object]>([
    ['not-there', 404, 'item-not-found', {}, { title: 'X' }],
    ['a', 412, 'revision-mismatch', { 'if-match': '"77"' }, { title: 'X' }],
    ['a', 400, 'invalid-input', {}, { nothing: 'of this' }],
  ])('of %s that is refused (%d) is entered with the reason', async (id, status, problem, headers, body) => {
    const entries = await entered(() => asShop('PUT', `/v1/collections/todo/items/${id}`, body, headers));
    expect(entries).toMatchObject([{ outcome: 'refused', status, problem, subject: { kind: 'item', id } }]);
  });
});

describe('a change of something else', () => {
  test('is entered before it is made, and when it has ended', async () => {
    const body = { name: 'one', grants: [{ permissions: ['read'], collections: 'todo' }] };
    const entries = await entered(() => send('POST', '/v1/keys', body));
    expect(entries).toMatchObject([
      { outcome: 'begun', operation: 'issueKey', actor: { kind: 'administrator' } },
      {
        outcome: 'done',
        operation: 'issueKey',
        begun: entries[0]?.id,
        subject: { kind: 'key' },
        status: 201,
      },
    ]);
    const id = entries[1]?.subject?.id ?? '';
    expect(await gateway.store.accessKeys.find([id])).toHaveLength(1);
    const revoked = await entered(() => send('DELETE', `/v1/keys/${id}`));
    expect(revoked).toMatchObject([
      { outcome: 'begun', operation: 'revokeKey', subject: { kind: 'key', id } },
      { outcome: 'done', operation: 'revokeKey', status: 204 },
    ]);
  });

  test('that a caller may not make is entered as refused alone', async () => {
    const entries = await entered(() => asShop('DELETE', '/v1/collections/todo'));
    expect(entries).toMatchObject([
      {
        outcome: 'refused',
        operation: 'removeCollection',
        status: 403,
        problem: 'forbidden',
        collection: 'todo',
      },
    ]);
  });
});

test('nothing that is only read is entered', async () => {
  const entries = await entered(async () => {
    for (const path of ['/v1/collections', '/v1/collections/todo/items', '/v1/keys', '/feeds/todo.atom'])
      await send('GET', path);
  });
  expect(entries).toEqual([]);
});

test('requests that are refused again and again are counted, those without a key by address', async () => {
  const trail = gateway.application.get(AuditTrail);
  await trail.flush();
  const entries = await entered(async () => {
    for (let number = 0; number < 40; number += 1) {
      await asShop('DELETE', '/v1/collections/todo');
      const headers = { 'x-forwarded-for': `203.0.113.${number}` };
      await gateway.send('DELETE', '/v1/collections/todo', undefined, headers);
      await gateway.send('DELETE', `/v1/keys/${number}`, undefined, { ...headers, ...bearer('wrong') });
    }
    await trail.flush();
  });
  const counted = entries.filter(({ count }) => count !== undefined);
  expect(entries.length - counted.length).toBe(5);
  expect(counted.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(40 - 5 + 80);
  expect(counted.length).toBeLessThanOrEqual(1 + 2 * 6);
  expect(counted).toContainEqual(
    expect.objectContaining({ address: '203.0.113.1', problem: 'unauthenticated', count: 1, status: 401 }),
  );
});

test('commands are entered with what they change, and whose they are', async () => {
  const queue = openCommandQueue({ redisUrl: gateway.redisUrl });
  try {
    const data = { collection: 'todo', action: 'create', id: 'by-queue', item: { title: 'Q' } } as const;
    await queue.send({ name: 'edit', data: { ...data, key: shop.key } });
    await queue.send({
      name: 'unsubscribe',
      data: { collection: 'todo', subscription: 'none', key: shop.key },
    });
    await until(async () => (await log()).filter(({ via }) => via === 'queue').length === 2);
    expect((await log()).find(({ operation }) => operation === 'command edit create')).toMatchObject({
      outcome: 'done',
      actor: { kind: 'key', id: shop.id },
      subject: { kind: 'item', id: 'by-queue' },
      revision: { after: 1 },
    });
    expect((await log()).find(({ operation }) => operation === 'command unsubscribe')).toMatchObject({
      outcome: 'refused',
      problem: 'forbidden',
    });
  } finally {
    await queue.close();
  }
});

describe('every operation that changes something', () => {
  const values: Readonly<Record<string, string>> = {
    collection: 'none-such',
    format: 'atom',
    letter: 'none-such.none',
    digest: 'ab'.repeat(32),
    link: '0',
  };
  const changes = Object.entries<Operation>(operations).filter(([, operation]) => isChange(operation));

  test.each(changes)('is entered: %s', async (name, { path, method, body }) => {
    const actual = path.replace(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? 'none');
    const json = body === undefined || body.isFile === true ? undefined : { nothing: 'of this' };
    const entries = await entered(async () => {
      const response = await send(method, actual, json);
      await response.body?.cancel();
      // Those that are refused more often than a caller's entries go are counted.
      await gateway.application.get(AuditTrail).flush();
    });
    expect(entries.filter(({ count }) => count === undefined).map(({ operation }) => operation)).toContain(
      name,
    );
  });
});

test('no entry holds what its caller was recognised by, or what it has sent', async () => {
  const password = 'correct horse';
  const credentials = { kind: 'basic', username: 'us', password };
  await send('PUT', '/v1/collections/todo/subscriptions/peer', {
    url: 'https://u:pw@peer.example/a',
    credentials,
  });
  await asShop('POST', '/v1/collections/todo/items', { id: 'secret', title: 'the title' });
  const text = JSON.stringify(await log());
  for (const secret of [administrator, shop.key, shop.key.slice(20), password, 'u:pw', 'the title'])
    expect(text).not.toContain(secret);
});

test('the log as it was written holds', async () => {
  const verifier = new LogVerifier();
  for (const entry of await log()) expect(verifier.add(entry)).toBeUndefined();
  expect(verifier.end(new Date())).toBeUndefined();
  expect(verifier.size.entries).toBeGreaterThan(50);
});

test('while the log can not be written, nothing is changed', async () => {
  const append = gateway.store.audit.append.bind(gateway.store.audit);
  const refuse = async (method: string, path: string, body?: unknown) =>
    (await problemIn(await send(method, path, body))).rule;
  try {
    gateway.store.audit.append = () => Promise.reject(new Error('full'));
    // The entry of the first one is what shows it.
    expect(await refuse('PUT', '/v1/collections/todo/items/a', { title: 'D' })).toBe('outcome-unknown');
    expect(await refuse('PUT', '/v1/collections/todo/items/a', { title: 'E' })).toBe('unavailable');
    expect(await refuse('PUT', '/v1/collections/todo', { title: 'Other' })).toBe('unavailable');
    expect(await (await send('GET', '/v1/collections/todo/items/a')).json()).toMatchObject({
      title: 'D',
      actor: { kind: 'administrator' },
    });
    expect(await (await send('GET', '/v1/collections/todo')).json()).toMatchObject({ title: 'To do' });
  } finally {
    gateway.store.audit.append = append;
  }
  expect((await send('PUT', '/v1/collections/todo/items/a', { title: 'F' })).status).toBe(200);
  await gateway.application.get(AuditTrail).flush();
  // What was changed unseen is entered late.
  expect(
    (await log()).filter(({ since, outcome }) => outcome === 'done' && since !== undefined),
  ).toMatchObject([
    { operation: 'updateItem', revision: { after: expect.any(Number) as unknown as number } },
  ]);
});
