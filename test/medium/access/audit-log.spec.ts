import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditEntryView, IssuedKeyView, Page } from '#contracts';
import { LogVerifier } from '#core';
import type { AuditEntry } from '#core';
import { problemIn } from '../gateway/gateway-under-test.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { until } from '../../support/until.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const gateway = useGateway({
  ...keysRequired,
  GATEWAY_STALL_SECONDS: '5',
});
let tenant: Required<IssuedKeyView>;

const send = (method: string, path: string, body?: unknown, key = administrator, headers = {}) =>
  gateway.send(method, path, body, { authorization: `Bearer ${key}`, ...headers });

async function list(query: string, key = administrator): Promise<Page<AuditEntryView>> {
  const response = await send('GET', `/v1/audit${query}`, undefined, key);
  expect(response.status).toBe(200);
  return (await response.json()) as Page<AuditEntryView>;
}

beforeAll(async () => {
  for (const name of ['acme', 'other']) await send('PUT', `/v1/tenants/${name}`);
  for (const name of ['acme.orders', 'acme.notes', 'other.orders', 'todo'])
    await send('PUT', `/v1/collections/${name}`, { title: name });
  const body = { name: 'acme', grants: [{ permissions: ['admin'], collections: 'acme.*' }] };
  tenant = (await (await send('POST', '/v1/keys', body)).json()) as Required<IssuedKeyView>;
  for (const name of ['acme.orders', 'acme.notes'])
    await send('POST', `/v1/collections/${name}/items`, { id: 'a', title: 'A' }, tenant.key);
  await send('POST', '/v1/collections/other.orders/items', { id: 'b', title: 'B' });
});

describe('the list', () => {
  test('has all entries in the order of time, page by page', async () => {
    const whole = await list('');
    expect(whole.next).toBeUndefined();
    const paged: AuditEntryView[] = [];
    for (let next: string | undefined, first = true; first || next !== undefined; first = false) {
      const page = await list(`?limit=4${next === undefined ? '' : `&cursor=${next}`}`);
      paged.push(...page.items);
      next = page.next;
    }
    expect(paged).toEqual(whole.items);
    expect(paged.length).toBeGreaterThan(15);
    expect(paged.map(({ id }) => id)).toEqual(paged.map(({ id }) => id).toSorted());
  });

  test.each<[string, (entry: AuditEntryView) => boolean]>([
    ['collection=acme.orders', ({ collection }) => collection === 'acme.orders'],
    ['collection=acme.*', ({ collection }) => collection?.startsWith('acme.') === true],
    ['actor=administrator', ({ actor }) => actor?.kind === 'administrator'],
    ['operation=createItem', ({ operation }) => operation === 'createItem'],
    ['outcome=begun', ({ outcome }) => outcome === 'begun'],
    ['operation=createItem&collection=other.orders', ({ subject }) => subject?.id === 'b'],
  ])('with %s has those alone', async (query, isMeant) => {
    const { items } = await list(`?${query}`);
    expect(items.length).toBeGreaterThan(0);
    const whole = (await list('')).items.filter(isMeant).map(({ id }) => id);
    expect(items.map(({ id }) => id)).toEqual(whole);
  });

  test('between two times has what was between them', async () => {
    const { items } = await list('');
    const [since, until] = [items[3]?.at ?? '', items[8]?.at ?? ''];
    const expected = items.filter(({ at }) => at >= since && at < until).map(({ id }) => id);
    const found = (await list(`?${new URLSearchParams({ since, until }).toString()}`)).items;
    expect(found.map(({ id }) => id)).toEqual(expected);
  });

  test.each(['since=yesterday', 'outcome=good', 'collection=a*', 'collection=*', 'nothing=1', 'cursor=%21'])(
    'is refused with %s',
    async (query) => {
      const problem = await problemIn(await send('GET', `/v1/audit?${query}`));
      expect([problem.status, problem.rule]).toEqual([400, 'invalid-input']);
    },
  );
});

describe("a tenant's administrator", () => {
  test('sees what was done with the collections of the tenant, and no places in the chains', async () => {
    const { items } = await list('?collection=acme.*', tenant.key);
    expect(items.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['createItem', 'putCollection']),
    );
    for (const entry of items) {
      expect(entry.collection).toMatch(/^acme\./);
      for (const member of ['chain', 'sequence', 'former', 'hash']) expect(entry).not.toHaveProperty(member);
    }
    expect((await list('?collection=acme.notes', tenant.key)).items.length).toBeGreaterThan(0);
  });

  test('sees what is done with keys for the tenant alone, whoever does it', async () => {
    const issue = async (...collections: string[]): Promise<string> => {
      const grants = collections.map((name) => ({ permissions: ['read'], collections: name }));
      const response = await send('POST', '/v1/keys', { name: 'one', grants });
      return ((await response.json()) as IssuedKeyView).id;
    };
    const seen = async (id: string, query: string, key?: string): Promise<unknown[]> =>
      (await list(`?collection=${query}`, key)).items
        .filter(({ subject }) => subject?.id === id)
        .map(({ operation, outcome, actor }) => [operation, outcome, actor?.kind]);

    const whole = await issue('acme.*');
    await send('POST', `/v1/keys/${whole}/rotate`);
    await send('DELETE', `/v1/keys/${whole}`);
    expect(await seen(whole, 'acme.*', tenant.key)).toEqual([
      ['issueKey', 'done', 'administrator'],
      ['rotateKey', 'done', 'administrator'],
      ['revokeKey', 'done', 'administrator'],
    ]);
    const several = await issue('acme.notes', 'acme.o*');
    expect(await seen(several, 'acme.*', tenant.key)).toHaveLength(1);
    expect(await seen(several, 'acme.notes', tenant.key)).toEqual([]);
    const one = await issue('acme.notes');
    expect(await seen(one, 'acme.notes', tenant.key)).toHaveLength(1);
    expect(await seen(whole, 'other.*')).toEqual([]);
    for (const grants of [['acme.*', 'other.*'], ['*'], ['todo', 'acme.notes'], ['a*']])
      expect(await seen(await issue(...grants), 'acme.*', tenant.key)).toEqual([]);
  });

  test.each(['', '?collection=other.*', '?collection=other.orders', '?collection=todo', '?collection=*'])(
    'does not see %j',
    async (query) => {
      const problem = await problemIn(await send('GET', `/v1/audit${query}`, undefined, tenant.key));
      expect([problem.status, problem.rule]).toEqual([403, 'forbidden']);
    },
  );

  test("gets nothing of another tenant by that one's cursor", async () => {
    const { next } = await list('?collection=other.*&limit=1');
    const { items } = await list(`?collection=acme.*&cursor=${next}`, tenant.key);
    for (const { collection } of items) expect(collection).toMatch(/^acme\./);
  });
});

describe('as lines of JSON', () => {
  const lines = { accept: 'application/x-ndjson' };
  const entriesIn = async (response: Response): Promise<AuditEntry[]> =>
    (await response.text())
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AuditEntry);

  test('the log is whole, and holds', async () => {
    const response = await send('GET', '/v1/audit', undefined, administrator, lines);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const entries = await entriesIn(response);
    expect(entries).toEqual((await list('')).items);
    const verifier = new LogVerifier();
    for (const entry of entries) expect(verifier.add(entry)).toBeUndefined();
    expect(verifier.end(new Date())).toBeUndefined();
  });

  test('it has what the query selects, however much that is', async () => {
    const chain = 'f'.repeat(16);
    const many = Array.from({ length: 20_000 }, (_, sequence): AuditEntry => ({
      id: `0000000000ff.${chain}.${sequence.toString(16).padStart(5, '0')}`,
      chain,
      sequence,
      at: '1970-01-01T00:00:00.255Z',
      outcome: 'done',
      operation: 'long ago',
      collection: 'acme.orders',
      subject: { kind: 'item', id: 'x'.repeat(1000) },
      hash: '',
    }));
    await gateway.store.audit.append(many);
    const response = await send(
      'GET',
      '/v1/audit?collection=acme.*&operation=long+ago',
      undefined,
      tenant.key,
      lines,
    );
    expect(await entriesIn(response)).toHaveLength(20_000);
  });

  test('it is cut off when the key is revoked that has requested it', async () => {
    const body = { name: 'short', grants: [{ permissions: ['admin'], collections: 'acme.*' }] };
    const { id, key } = (await (await send('POST', '/v1/keys', body)).json()) as Required<IssuedKeyView>;
    const headers = { ...lines, 'accept-encoding': 'identity' };
    const response = await send('GET', '/v1/audit?collection=acme.*', undefined, key, headers);
    const reader = response.body!.getReader();
    await reader.read();
    await send('DELETE', `/v1/keys/${id}`);
    // Read slowly, so that it is far from its end when it is cut off.
    let isCut = false;
    await until(async () => {
      const piece = await reader.read().catch(() => undefined);
      isCut = piece === undefined;
      return isCut || piece?.done === true;
    });
    expect(isCut).toBe(true);
  });
});
