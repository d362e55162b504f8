import { beforeAll, describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const items = '/v1/collections/todo/items';
/** How large the bodies are, in bytes: almost the most that one may have. */
const megabytes = 4_000_000;
/** How long a problem is at most, in characters. */
const problemLength = 40_000;

const gateway = useGateway();
beforeAll(async () => {
  await gateway.send('PUT', '/v1/collections/todo');
  await gateway.send('PUT', '/v1/collections/outlines', { format: 'opml' });
});

function fill(part: string): string {
  return part.repeat(Math.floor(megabytes / part.length));
}

async function refusal(
  path: string,
  body: string,
  type = 'application/json',
): Promise<Awaited<ReturnType<typeof problemIn>>> {
  const response = await gateway.send('POST', path, body, { 'content-type': type });
  expect((await response.clone().text()).length).toBeLessThan(problemLength);
  return problemIn(response);
}

describe('JSON', () => {
  test.each([
    ['arrays', '[', 'GATEWAY_JSON_DEPTH'],
    ['objects', '{"a":', 'GATEWAY_JSON_DEPTH'],
    ['both', '{"a":[', 'GATEWAY_JSON_DEPTH'],
    ['elements', '{},', 'GATEWAY_JSON_VALUES', '{"categories":['],
    ['keys', '"a":0,', 'GATEWAY_JSON_VALUES', '{'],
  ])(
    'with 4 MB of %s is refused before it is parsed, with the setting',
    async (_what, part, setting, start = '') => {
      const problem = await refusal(items, start + fill(part));
      expect(problem).toMatchObject({ status: 400, rule: 'json-limit' });
      expect(problem.detail).toContain(`(setting ${setting})`);
    },
  );

  test('may hold in its texts what nests outside of them', async () => {
    const title = `${'['.repeat(1000)}"\\${'{,'.repeat(50_000)}\\"`;
    const response = await gateway.send('POST', items, { id: 'brackets', title });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ title });
  });

  test('is nested as deeply as the limit allows', async () => {
    const nested = (depth: number): string => `{"title":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(await refusal(items, nested(64))).toMatchObject({
      rule: 'invalid-input',
      errors: [{ path: 'body.title' }],
    });
    expect(await refusal(items, nested(65))).toMatchObject({ rule: 'json-limit' });
  });

  test('is UTF-8', async () => {
    const body = Buffer.from('{"title":"x"}', 'utf16le');
    const response = await fetch(`${gateway.url}${items}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json; charset=utf-16' },
    });
    expect(await problemIn(response)).toMatchObject({ status: 415, rule: 'unsupported-media-type' });
  });
});

describe('a problem', () => {
  test('lists 20 of very many wrong values, and says how many more there are', async () => {
    const categories = Array.from({ length: 30_000 }, () => 0);
    const problem = await refusal(items, JSON.stringify({ categories }));
    expect(problem).toMatchObject({ status: 400, rule: 'invalid-input', moreErrors: 29_980 });
    expect(problem.errors).toHaveLength(20);
    expect(problem.errors?.[19]?.path).toBe('body.categories.19');
    expect(problem.detail).toMatch(/^body\.categories\.0: [^;]+(; [^;]+){4}; and 29995 more$/);
  });

  test('names some of very many unknown keys, and the known ones', async () => {
    const problem = await refusal(
      items,
      `{${Array.from({ length: 30_000 }, (_, index) => `"key${index}":0`).join()}}`,
    );
    expect(problem).toMatchObject({ status: 400, rule: 'invalid-input', errors: [{ path: 'body' }] });
    expect(problem.errors?.[0]?.message).toMatch(
      /^unknown keys: "key0", .*"key9" and 29990 more; there are title, titleType, content, .*, deleted$/,
    );
  });

  test.each([
    ['an unknown key', { ['k'.repeat(3_000_000)]: 1 }],
    ['a wrong choice', { titleType: 'h'.repeat(3_000_000) }],
    ['an id that is none', { id: `${'i'.repeat(3_000_000)} ` }],
    ['a payload that is no XML', { payload: `<${'x'.repeat(3_000_000)}` }],
    ['the name of an attribute', { payload: `<x ${`${'a'.repeat(1_500_000)}="" `.repeat(2)}/>` }],
    ['a namespace', { attributes: { [`{${'n'.repeat(3_000_000)}`]: 'x' } }],
  ])('does not repeat %s of 3 MB', async (_what, body) => {
    expect((await refusal(items, JSON.stringify(body))).status).toBeGreaterThanOrEqual(400);
  });

  test('says which keys there are, wherever one is unknown', async () => {
    const message = async (method: string, path: string, body?: unknown): Promise<unknown> =>
      (await problemIn(await gateway.send(method, path, body))).errors;
    expect(await message('PUT', '/v1/collections/todo', { settings: { windowitems: 1 } })).toEqual([
      {
        path: 'body.settings',
        message: expect.stringMatching(/^unknown key: "windowitems"; there are windowItems, expiresAfter, /),
      },
    ]);
    expect(
      await message('PUT', '/v1/collections/todo/subscriptions/x', {
        url: 'https://peer.example/',
        intervall: {},
      }),
    ).toEqual([
      {
        path: 'body',
        message:
          'unknown key: "intervall"; there are url, interval, adopt, adoptedAs, discover, userAgent, ' +
          'acceptLanguage, credentials',
      },
    ]);
    expect(await message('GET', `${items}?page=2`)).toEqual([
      {
        path: 'query',
        message: 'unknown key: "page"; there are limit, cursor, state, deleted, sort, q, ids',
      },
    ]);
  });
});

describe('XML', () => {
  test.each([
    [
      'an Atom entry',
      items,
      'application/atom+xml',
      `<entry xmlns="http://www.w3.org/2005/Atom">${fill('<a>').slice(0, -60)}`,
      'limit-item-depth',
    ],
    ['an RSS item', items, 'application/rss+xml', `<item>${fill('<a>').slice(0, -60)}`, 'limit-item-depth'],
    [
      'OPML',
      '/v1/collections/outlines/outline',
      'text/x-opml',
      `<opml version="2.0"><body>${fill('<outline text="a">').slice(0, -60)}`,
      'limit-outline-depth',
    ],
    [
      'a subscription list',
      '/v1/collections/todo/subscriptions',
      'text/x-opml',
      `<opml version="2.0"><body>${fill('<outline text="a">').slice(0, -60)}`,
      'limit-outline-depth',
    ],
    [
      'an outline',
      '/v1/collections/outlines/items',
      'text/x-opml',
      fill('<outline text="a">').slice(0, -60),
      '',
    ],
  ])('of 4 MB of nested elements is refused as %s', async (_what, path, type, body, rule) => {
    const problem = await refusal(path, body, type);
    expect(problem).toMatchObject({ status: 422, rule: 'invalid-xml' });
    expect(problem.violations?.[0]?.rule).toMatch(rule);
  });

  test('of 195,000 elements in one item is refused, and the item stays as it was', async () => {
    await gateway.send('POST', items, { id: 'wide', title: 'As it was' });
    const stored = async (): Promise<unknown> =>
      (await gateway.store.items.list(collectionKey('todo'), { limit: 100 })).map(({ id, revision }) => [
        id,
        revision,
      ]);
    const before = await stored();
    const elements = '<category term=""/>'.repeat(195_000);
    const entry = `<entry xmlns="http://www.w3.org/2005/Atom"><title>Wide</title>${elements}</entry>`;
    const refused = { status: 422, rule: 'invalid-xml', violations: [{ rule: 'limit-elements' }] };
    expect(await refusal(items, entry, 'application/atom+xml')).toMatchObject(refused);
    const headers = { 'content-type': 'application/atom+xml' };
    const edited = await gateway.send('PUT', `${items}/wide`, entry, headers);
    expect(await problemIn(edited)).toMatchObject(refused);
    expect(await stored()).toEqual(before);
  });

  test('in JSON is nested no deeper', async () => {
    expect(await refusal(items, JSON.stringify({ payload: fill('<a>') }))).toMatchObject({
      status: 422,
      violations: [{ rule: 'limit-item-depth' }],
    });
  });
});
