import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AccessKeyView, Grant, IssuedKeyView, Page } from '#contracts';
import { problemIn, startGateway } from '../gateway/gateway-under-test.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { untilAccepted } from '../../support/until-accepted.ts';
import { untilRefused } from '../../support/until-refused.ts';
import { until } from '../../support/until.ts';

const secret = (): string => randomBytes(32).toString('base64');
const administratorKey = randomBytes(24).toString('base64url');
const secrets = [secret(), secret()];

const gateway = useGateway({
  AUTH: 'required',
  AUTH_SECRETS: secrets[0] ?? '',
  AUTH_ADMIN_KEY: administratorKey,
});

beforeAll(async () => {
  for (const name of ['todo', 'todo-later', 'notes'])
    expect((await send('PUT', `/v1/collections/${name}`, administratorKey, { title: name })).status).toBe(
      201,
    );
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const send = (method: string, path: string, key: string, body?: unknown): Promise<Response> =>
  gateway.send(method, path, body, bearer(key));

async function issue(
  grants: readonly Grant[],
  by = administratorKey,
  more = {},
): Promise<Required<IssuedKeyView>> {
  const response = await send('POST', '/v1/keys', by, { name: 'one', grants, ...more });
  expect(response.status).toBe(201);
  return (await response.json()) as Required<IssuedKeyView>;
}

const reading = (collections: string): Grant[] => [{ permissions: ['read'], collections }];

describe('a key', () => {
  test('is shown with its secret once, and nothing that is stored contains it', async () => {
    const { key, ...issued } = await issue(reading('todo'));
    const shown = (await (
      await send('GET', `/v1/keys/${issued.id}`, administratorKey)
    ).json()) as AccessKeyView;
    expect(shown).toEqual(issued);
    expect(JSON.stringify(await gateway.store.accessKeys.find([issued.id]))).not.toContain(key.slice(20));
  });

  test('is accepted until it expires, and one that has expired is not issued', async () => {
    const expired = { name: 'late', grants: reading('todo'), expiresAt: '2020-01-01T00:00:00.000Z' };
    const response = await send('POST', '/v1/keys', administratorKey, expired);
    expect((await problemIn(response)).detail).toContain('body.expiresAt');
    const { credentials } = await untilAccepted(
      (end) => issue(reading('todo'), administratorKey, { expiresAt: end.toISOString() }),
      ({ key }) => send('GET', '/v1/collections/todo', key),
    );
    await untilRefused(401, () => send('GET', '/v1/collections/todo', credentials.key));
  });

  test('is accepted with its former secret for an overlap, and not with the one before', async () => {
    const { id, key: first } = await issue(reading('todo'));
    const rotate = async (body?: object): Promise<Required<IssuedKeyView>> =>
      (await (
        await send('POST', `/v1/keys/${id}/rotate`, administratorKey, body)
      ).json()) as Required<IssuedKeyView>;
    const { key: second, formerUntil } = await rotate();
    expect(Date.parse(formerUntil ?? '')).toBeGreaterThan(Date.now());
    for (const key of [first, second])
      await until(async () => (await send('GET', '/v1/collections/todo', key)).status === 200);
    const { key: third } = await rotate({ overlapSeconds: 60 });
    await untilRefused(401, () => send('GET', '/v1/collections/todo', first));
    await until(async () => (await send('GET', '/v1/collections/todo', third)).status === 200);
    expect((await send('GET', '/v1/collections/todo', second)).status).toBe(200);
  });

  test('that is rotated by two at once is accepted with what each of them got', async () => {
    const { id } = await issue(reading('todo'));
    const rotate = async (): Promise<string> => {
      const response = await send('POST', `/v1/keys/${id}/rotate`, administratorKey);
      return ((await response.json()) as Required<IssuedKeyView>).key;
    };
    for (const key of await Promise.all([rotate(), rotate()]))
      await until(async () => (await send('GET', '/v1/collections/todo', key)).status === 200);
  });

  test('lists the keys that it administers in whole pages, whatever others there are', async () => {
    const { key: team } = await issue([{ permissions: ['admin'], collections: 'pages*' }]);
    const made = new Set<string>();
    for (let number = 0; number < 12; number += 1) {
      await issue(reading('notes'));
      made.add((await issue(reading('pages-1'), team)).id);
    }
    const listed: string[] = [];
    let path: string | undefined = '/v1/keys?limit=5';
    const sizes: number[] = [];
    while (path !== undefined) {
      const page = (await (await send('GET', path, team)).json()) as Page<AccessKeyView>;
      sizes.push(page.items.length);
      listed.push(...page.items.map(({ id }) => id));
      path = page.next === undefined ? undefined : `/v1/keys?limit=5&cursor=${page.next}`;
    }
    expect(listed).toHaveLength(new Set(listed).size);
    expect(new Set(listed)).toEqual(new Set([...made, team.slice(3, 19)]));
    expect(sizes).toEqual([5, 5, 3]);
  });

  test('permits to issue keys for what it administers, and to see those alone', async () => {
    const { key: team } = await issue([{ permissions: ['admin'], collections: 'todo*' }]);
    const { id: other } = await issue(reading('notes'));
    const { id: theirs, key: member } = await issue(reading('todo-later'), team);
    for (const collections of ['*', 'notes', 't*']) {
      const refused = await send('POST', '/v1/keys', team, { name: 'more', grants: reading(collections) });
      expect([refused.status, (await problemIn(refused)).rule]).toEqual([403, 'forbidden']);
    }
    const { items } = (await (await send('GET', '/v1/keys?limit=100', team)).json()) as Page<AccessKeyView>;
    const seen = items.map(({ id }) => id);
    expect(seen).toContain(theirs);
    expect(seen).not.toContain(other);
    for (const method of ['GET', 'DELETE'])
      expect((await problemIn(await send(method, `/v1/keys/${other}`, team))).rule).toBe('key-not-found');
    expect((await problemIn(await send('POST', '/v1/keys', member, { name: 'x', grants: [] }))).rule).toBe(
      'forbidden',
    );
  });

  test('shows when it was last used', async () => {
    const { id, key } = await issue(reading('todo'));
    await send('GET', '/v1/collections/todo', key);
    await gateway.store.accessKeys.touch([id], new Date('2026-01-02T03:04:05Z'));
    const shown = (await (await send('GET', `/v1/keys/${id}`, administratorKey)).json()) as AccessKeyView;
    expect(shown.lastUsedAt).toBe('2026-01-02T03:04:05.000Z');
  });

  test('says whose it is, what it permits and when it expires', async () => {
    const expiresAt = '2030-01-01T00:00:00.000Z';
    const grants: Grant[] = [{ permissions: ['write'], collections: 'acme.*' }];
    const { id, key } = await issue(grants, administratorKey, { expiresAt });
    const me = async (caller: string): Promise<unknown> => (await send('GET', '/v1/me', caller)).json();
    expect(await me(key)).toEqual({ kind: 'key', id, name: 'one', tenant: 'acme', grants, expiresAt });
    const kind = 'administrator';
    const all = [{ permissions: ['admin'], collections: '*' }];
    expect(await me(administratorKey)).toEqual({ kind, id: kind, name: kind, grants: all });
    const nobody = await problemIn(await gateway.send('GET', '/v1/me'));
    expect(nobody).toMatchObject({ status: 401, rule: 'unauthenticated' });
  });

  test('lists the collections that it may read, and no other shows through', async () => {
    const { key } = await issue(reading('todo*'));
    const first = (await (await send('GET', '/v1/collections?limit=1', key)).json()) as Page<{
      name: string;
    }>;
    expect(first.items.map(({ name }) => name)).toEqual(['todo']);
    const second = (await (
      await send('GET', `/v1/collections?limit=1&cursor=${first.next}`, key)
    ).json()) as Page<{ name: string }>;
    expect(second.items.map(({ name }) => name)).toEqual(['todo-later']);
    expect(second.next).toBeUndefined();
    const page = await gateway.send('GET', '/', undefined, { accept: 'text/html', ...bearer(key) });
    expect(await page.text()).not.toContain('notes');
    const nobody = await gateway.send('GET', '/', undefined, { accept: 'text/html' });
    expect(await nobody.text()).not.toContain('todo');
  });
});

describe('a revoked key', () => {
  test('is accepted by no gateway, and cuts off what it reads', async () => {
    const another = await gateway.startAnother();
    try {
      const { id, key } = await issue(reading('todo'));
      const { key: stays } = await issue(reading('todo'));
      const path = '/v1/collections/todo/changes?mode=stream';
      const open = (url: string, own: string): Promise<Response> =>
        fetch(`${url}${path}`, { headers: { accept: 'text/event-stream', ...bearer(own) } });
      const streams = await Promise.all([gateway.url, another.url].map((url) => open(url, key)));
      const kept = await open(another.url, stays);
      for (const { status } of [...streams, kept]) expect(status).toBe(200);
      expect((await send('DELETE', `/v1/keys/${id}`, administratorKey)).status).toBe(204);
      for (const stream of streams) await expect(readToEnd(stream)).rejects.toThrow();
      for (const url of [gateway.url, another.url]) await untilRefused(401, () => open(url, key));
      expect((await fetch(`${another.url}/v1/collections/todo`, { headers: bearer(stays) })).status).toBe(
        200,
      );
      await kept.body?.cancel();
    } finally {
      await another.close();
    }
  });
});

async function readToEnd({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  for (let done = false; !done;) ({ done = true } = (await reader?.read()) ?? {});
}

describe('the feeds of a collection', () => {
  test('are for those who may read it, and kept by no one else', async () => {
    const { key } = await issue(reading('todo'));
    for (const path of ['/feeds/todo.atom', '/feeds/todo/complete.rss', '/feeds/todo/reader.atom']) {
      const anonymous = await gateway.send('GET', path);
      expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('Basic'),
      ]);
      await anonymous.body?.cancel();
      // The second time it comes from the feeds that are kept.
      for (let time = 0; time < 2; time += 1) {
        const response = await send('GET', path, key);
        expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
        await response.text();
        expect((await gateway.send('GET', path)).status).toBe(401);
      }
    }
  });

  test('are for everyone once someone with the permission says so, until someone takes it back', async () => {
    const { key: publisher } = await issue([{ permissions: ['publish'], collections: 'notes' }]);
    const { key: writer } = await issue([{ permissions: ['write', 'read'], collections: 'notes' }]);
    const path = '/v1/collections/notes/visibility';
    const refused = await send('PUT', path, writer, { visibility: 'public' });
    expect((await problemIn(refused)).detail).toContain('"publish" for the collection "notes"');
    expect(await (await send('PUT', path, publisher, { visibility: 'public' })).json()).toMatchObject({
      visibility: 'public',
    });
    for (let time = 0; time < 2; time += 1) {
      const response = await gateway.send('GET', '/feeds/notes.atom');
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      await response.text();
    }
    expect((await gateway.send('GET', '/v1/collections/notes')).status).toBe(401);
    await send('PUT', path, publisher, { visibility: 'private' });
    expect((await gateway.send('GET', '/feeds/notes.atom')).status).toBe(401);
  });
});

test('a request that needs a key is refused before its body is read', async () => {
  const response = await fetch(`${gateway.url}/v1/collections/todo/items`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{'.repeat(1000),
  });
  expect((await problemIn(response)).rule).toBe('unauthenticated');
});

test('what was issued under a former secret of the installation is accepted beside the new one', async () => {
  const { key } = await issue(reading('todo'));
  const both = await startGateway({
    AUTH: 'required',
    AUTH_SECRETS: `${secrets[1]}, ${secrets[0]}`,
    MONGODB_URI: gateway.mongodbUri,
  });
  try {
    const digests = await gateway.store.accessKeys.list({ limit: 100 });
    await both.store.accessKeys.add({ ...(digests.find(({ id }) => key.includes(id)) ?? fail()) });
    expect((await both.send('GET', '/v1/collections', undefined, bearer(key))).status).toBe(200);
  } finally {
    await both.close();
  }
});

function fail(): never {
  throw new Error('the key is in the list');
}

test('where no key is needed, everyone may do everything, and a wrong key is still refused', async () => {
  const open = await startGateway({ AUTH_ADMIN_KEY: administratorKey });
  try {
    expect((await open.send('PUT', '/v1/collections/todo', {})).status).toBe(201);
    expect((await open.send('GET', '/v1/collections', undefined, bearer(administratorKey))).status).toBe(200);
    expect(await (await open.send('GET', '/v1/me')).json()).toEqual({
      kind: 'anyone',
      id: 'anyone',
      name: 'anyone',
      grants: [{ permissions: ['admin'], collections: '*' }],
    });
    const wrong = await open.send('GET', '/v1/collections', undefined, bearer('x'.repeat(32)));
    expect((await problemIn(wrong)).rule).toBe('invalid-credentials');
    const issued = await open.send('POST', '/v1/keys', { name: 'one', grants: reading('todo') });
    expect((await problemIn(issued)).rule).toBe('keys-unavailable');
  } finally {
    await open.close();
  }
});

test.each([
  [{ HOST: '0.0.0.0' }, /AUTH_SECRETS must be set, because others can connect to HOST \(0\.0\.0\.0\)/],
  [{ AUTH: 'required' }, /AUTH_SECRETS must be set, because AUTH is required/],
  [{ AUTH_SECRETS: 'short' }, /AUTH_SECRETS must be a comma-separated list of secrets/],
  [{ AUTH_ADMIN_KEY: 'short' }, /AUTH_ADMIN_KEY must be 32 to 512/],
])('a gateway with %j does not start', async (environment, message) => {
  await expect(startGateway(environment as Record<string, string>)).rejects.toThrow(message);
});
