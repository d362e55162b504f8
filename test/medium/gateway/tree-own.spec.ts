import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { CseFeedReader } from '#cse';
import type { ParsedCseItem } from '#cse';
import { collectionKey } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const filesKey = collectionKey('files');

const gateway = useGateway({ GATEWAY_FILE_BYTES: '1000000', GATEWAY_PAGE_ITEMS: '50' });

const tree = '/v1/collections/tree';
const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await gateway.send(method, path, body, headers);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

async function readings(path: string): Promise<readonly ParsedCseItem[]> {
  const response = await gateway.send('GET', path);
  expect(response.status).toBe(200);
  const reader = new CseFeedReader({ base: `${gateway.url}${path}` });
  const items = reader.write(new Uint8Array(await response.arrayBuffer()));
  reader.end();
  expect(items.flatMap(({ violations }) => violations)).toEqual([]);
  return items;
}

async function upload(collection: string, body: string, type = 'text/plain'): Promise<string> {
  const { digest } = await send('POST', `/v1/collections/${collection}/files`, body, {
    'content-type': type,
  });
  return digest as string;
}

describe('a collection of the protocol cse', () => {
  test('has a root from the start, and links to everything', async () => {
    const { protocol, format, settings, links } = await send('PUT', '/v1/collections/fresh', {
      protocol: 'cse',
      title: 'Fresh & new',
    });
    const self = `${gateway.url}/v1/collections/fresh`;
    expect([protocol, format, settings]).toEqual(['cse', 'rss', { expiresAfter: 86_400 }]);
    const reader = `${gateway.url}/feeds/fresh/reader`;
    expect(links).toEqual({
      self,
      readerFeeds: { atom: `${reader}.atom`, rss: `${reader}.rss` },
      items: `${self}/items`,
      subscriptions: `${self}/subscriptions`,
      changes: `${self}/changes`,
      feed: `${gateway.url}/feeds/fresh.rss`,
      tree: `${self}/tree`,
      feeds: `${self}/feeds`,
      files: `${self}/files`,
      documents: `${self}/documents`,
    });
    expect(await readings('/feeds/fresh.rss')).toEqual([]);
    expect(await send('GET', '/v1/collections/fresh/tree')).toMatchObject({
      feed: { id: 'root', title: 'Fresh & new', state: 'cached' },
      items: [],
    });
    expect(await send('GET', '/v1/collections/fresh/conflicts')).toEqual({ items: [] });
  });

  test('gets back a root that a crash has left out, and calls it what the collection is called', async () => {
    await send('PUT', '/v1/collections/healed', { protocol: 'cse' });
    await gateway.store.feeds.remove(collectionKey('healed'), 'root');
    await send('PUT', '/v1/collections/healed');
    expect(await send('GET', '/v1/collections/healed/feeds/root')).toMatchObject({ title: 'healed' });
    await send('PUT', '/v1/collections/healed', { title: 'Renamed' });
    expect(await send('GET', '/v1/collections/healed/feeds/root')).toMatchObject({ title: 'Renamed' });
  });

  test('says where to continue to a reader with a cursor that it never gave', async () => {
    await send('PUT', '/v1/collections/cursors', { protocol: 'cse' });
    expect(
      await problemIn(await gateway.send('GET', '/v1/collections/cursors/changes?since=0000000000000009')),
    ).toMatchObject({ status: 410, rule: 'cursor-gone', feed: `${gateway.url}/feeds/cursors.rss` });
  });

  test('takes the first feed of a subscription list', async () => {
    await send('PUT', '/v1/collections/listed', { protocol: 'cse' });
    const list =
      '<opml version="1.0"><head/><body><outline text="a" xmlUrl="http://a.example/"/>' +
      '<outline text="b" xmlUrl="http://b.example/"/></body></opml>';
    expect(
      await send('POST', '/v1/collections/listed/subscriptions', list, { 'content-type': 'text/x-opml' }),
    ).toEqual({
      created: 1,
      existing: 0,
      refused: [{ xmlUrl: 'http://b.example/', text: 'b', message: expect.stringContaining('one source') }],
    });
  });

  test('with items of its own does not become a mirror', async () => {
    await send('PUT', '/v1/collections/owned', { protocol: 'cse' });
    await send('POST', '/v1/collections/owned/items', { title: 'Mine' });
    expect(
      await problemIn(
        await gateway.send('POST', '/v1/collections/owned/subscriptions', { url: 'http://source.example/' }),
      ),
    ).toMatchObject({ status: 409, rule: 'own-items' });
  });
});

describe('a file', () => {
  beforeAll(() => send('PUT', '/v1/collections/files', { protocol: 'cse' }));
  const path = '/v1/collections/files/files';

  test('of any type is kept, once, and served as it was sent', async () => {
    for (const [body, type] of [
      ['{"a": 1}', 'application/json'],
      ['<x/>', 'application/xml'],
      ['a=1&b=2', 'application/x-www-form-urlencoded'],
      ['not json', 'application/json; charset=utf-8'],
      ['', 'text/plain'],
    ] as const) {
      const response = await gateway.send('POST', path, body, { 'content-type': type });
      const url = `${gateway.url}/files/files/${digestOf(body)}`;
      expect([response.status, response.headers.get('location'), await response.json()]).toEqual([
        201,
        url,
        { digest: digestOf(body), length: body.length, type, url },
      ]);
      const served = await fetch(`${url}/${encodeURIComponent('any name.txt')}`);
      expect([
        served.status,
        served.headers.get('content-type'),
        served.headers.get('content-length'),
        await served.text(),
      ]).toEqual([200, type, String(body.length), body]);
    }
    expect(
      (await gateway.send('POST', path, '{"a": 1}', { 'content-type': 'application/json' })).status,
    ).toBe(201);
    expect(await gateway.store.contents.list(filesKey, { limit: 10 })).toHaveLength(5);
  });

  test('is listed with how much refers to it', async () => {
    await send('PUT', '/v1/collections/shelf', { protocol: 'cse' });
    const [linked, free] = [await upload('shelf', 'linked'), await upload('shelf', 'free')];
    for (const guid of ['one', 'two'])
      await send('POST', '/v1/collections/shelf/items', { guid, title: guid, links: [{ file: linked }] });
    const list = async (query = '') =>
      ((await send('GET', `/v1/collections/shelf/files${query}`)) as { items: object[] }).items;
    const expected = [
      { digest: linked, length: 6, references: 2 },
      { digest: free, length: 4, references: 0 },
    ].sort((a, b) => (a.digest < b.digest ? -1 : 1));
    expect(await list()).toMatchObject(
      expected.map((file) => ({
        ...file,
        type: 'text/plain',
        url: `${gateway.url}/files/shelf/${file.digest}`,
      })),
    );
    expect(await list('?limit=1')).toMatchObject(expected.slice(0, 1));
    expect((await gateway.send('GET', '/v1/collections/absent/files')).status).toBe(404);
  });

  test('is for every cache, for ever, and for nobody to run', async () => {
    const digest = await upload('files', '<script>alert(1)</script>', 'text/html');
    const response = await gateway.send('GET', `/files/files/${digest}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${digest}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/; sandbox$/),
      'last-modified': expect.stringMatching(/GMT$/),
    });
    expect(
      (await gateway.send('GET', `/files/files/${digest}`, undefined, { 'if-none-match': `"${digest}"` }))
        .status,
    ).toBe(304);
    expect(
      (
        await gateway.send('GET', `/files/files/${digest}`, undefined, {
          'if-modified-since': response.headers.get('last-modified') ?? '',
        })
      ).status,
    ).toBe(304);
    const head = await gateway.send('HEAD', `/files/files/${digest}`);
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '25', '']);
  });

  test('without a type is a row of bytes', async () => {
    const { digest } = await gateway.store.contents.write(
      filesKey,
      [Buffer.from('bytes')] as unknown as AsyncIterable<Uint8Array>,
      { at: new Date() },
    );
    expect((await gateway.send('GET', `/files/files/${digest}`)).headers.get('content-type')).toBe(
      'application/octet-stream',
    );
  });

  test('is available in ranges', async () => {
    const body = '0123456789'.repeat(60_000);
    const digest = await upload('files', body);
    const part = async (
      headers: Record<string, string>,
    ): Promise<[number, string | null, string | null, string]> => {
      const response = await gateway.send('GET', `/files/files/${digest}/digits`, undefined, headers);
      return [
        response.status,
        response.headers.get('content-range'),
        response.headers.get('content-length'),
        await response.text(),
      ];
    };
    expect(await part({ range: 'bytes=300000-300004' })).toEqual([
      206,
      'bytes 300000-300004/600000',
      '5',
      '01234',
    ]);
    expect(await part({ range: 'bytes=-3' })).toEqual([206, 'bytes 599997-599999/600000', '3', '789']);
    expect(await part({ range: 'bytes=599998-' })).toEqual([206, 'bytes 599998-599999/600000', '2', '89']);
    expect(await part({ range: 'bytes=600000-' })).toEqual([416, 'bytes */600000', '0', '']);
    expect(await part({ range: 'bytes=0-1,4-5' })).toEqual([200, null, '600000', body]);
    expect(await part({ range: 'bytes=0-1', 'if-range': `"${digest}"` })).toEqual([
      206,
      'bytes 0-1/600000',
      '2',
      '01',
    ]);
    expect((await part({ range: 'bytes=0-1', 'if-range': '"another"' }))[0]).toBe(200);
  });

  test('that breaks off while it is served is not taken for whole', async () => {
    const digest = await upload('files', 'x'.repeat(500_000));
    const { contents } = gateway.store;
    const read = contents.read.bind(contents);
    contents.read = async function* broken(collection, wanted) {
      for await (const piece of read(collection, wanted, { first: 0, last: 99_999 })) yield piece;
      throw new Error('the database went away');
    };
    try {
      await expect(
        gateway.send('GET', `/files/files/${digest}`).then((response) => response.text()),
      ).rejects.toThrow('terminated');
    } finally {
      contents.read = read;
    }
  });

  test('that does not exist is said to be missing', async () => {
    expect(await problemIn(await gateway.send('GET', `/files/files/${digestOf('nothing')}`))).toMatchObject({
      status: 404,
      rule: 'file-not-found',
    });
    expect(await problemIn(await gateway.send('GET', '/files/files/short'))).toMatchObject({
      status: 400,
      errors: [{ path: 'path.digest' }],
    });
  });

  test('that is too large is refused, whether it says so or not, and the setting is named', async () => {
    const before = await gateway.store.contents.list(filesKey, { limit: 50 });
    const said = await problemIn(
      await gateway.send('POST', path, 'x'.repeat(1_000_001), { 'content-type': 'text/plain' }),
    );
    expect(said).toMatchObject({
      status: 413,
      rule: 'file-too-large',
      detail: expect.stringContaining('GATEWAY_FILE_BYTES'),
    });
    expect(await chunked(Array.from({ length: 20 }, () => Buffer.alloc(100_000)))).toBe(413);
    expect(await chunked([Buffer.alloc(1_000_000)])).toBe(201);
    expect(await gateway.store.contents.list(filesKey, { limit: 50 })).toHaveLength(before.length + 1);
  });

  test('whose sender goes away is not kept', async () => {
    const { contents } = gateway.store;
    const write = contents.write.bind(contents);
    const outcome = new Promise((resolve) => {
      contents.write = async (collection, body, details) => {
        try {
          const content = await write(collection, body, details);
          resolve(content);
          return content;
        } catch (error) {
          resolve(error);
          throw error;
        }
      };
    });
    try {
      const sent = request(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
      }).on('error', () => {});
      sent.write(Buffer.alloc(300_000), () => sent.destroy());
      expect(await outcome).toMatchObject({ status: 400, rule: 'incomplete-body' });
    } finally {
      contents.write = write;
    }
  });

  test('of a collection that is removed while the file is sent is not kept', async () => {
    await send('PUT', '/v1/collections/short-lived', { protocol: 'cse' });
    const status = await new Promise((resolve, reject) => {
      const sent = request(
        `${gateway.url}/v1/collections/short-lived/files`,
        { method: 'POST', headers: { 'content-type': 'application/octet-stream' } },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        },
      ).on('error', reject);
      sent.write(
        Buffer.alloc(300_000),
        () => void send('DELETE', '/v1/collections/short-lived').then(() => sent.end(), reject),
      );
    });
    expect(status).toBe(404);
    expect(await gateway.store.contents.list(collectionKey('short-lived'), { limit: 50 })).toEqual([]);
  });

  test('that is sent compressed is refused', async () => {
    expect(
      await problemIn(
        await gateway.send('POST', path, 'x', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }),
      ),
    ).toMatchObject({ status: 415, rule: 'unsupported-content-coding' });
  });

  test('is kept in trees alone', async () => {
    await send('PUT', '/v1/collections/shared');
    expect(
      await problemIn(
        await gateway.send('POST', '/v1/collections/shared/files', 'x', { 'content-type': 'text/plain' }),
      ),
    ).toMatchObject({ status: 409, rule: 'not-a-tree' });
  });

  /** Sends a body that does not say its length; returns the status. */
  async function chunked(pieces: readonly Buffer[]): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${gateway.url}${path}`,
        { method: 'POST', headers: { 'content-type': 'application/octet-stream' } },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        },
      ).on('error', reject);
      for (const piece of pieces) sent.write(piece);
      sent.end();
    });
  }
});

describe('a feed of a tree of our own', () => {
  beforeAll(() => send('PUT', '/v1/collections/branches', { protocol: 'cse' }));
  const feeds = '/v1/collections/branches/feeds';

  test('is made, read, changed and removed', async () => {
    const made = await gateway.send('PUT', `${feeds}/news`, {
      title: 'News',
      description: 'All <of> it',
      link: 'http://news.example/?a=1&b=2',
    });
    const view = {
      id: 'news',
      title: 'News',
      description: 'All <of> it',
      link: 'http://news.example/?a=1&b=2',
      url: `${gateway.url}/feeds/branches/news.rss`,
      state: 'cached',
      createdAt: expect.any(String),
    };
    expect([made.status, await made.json()]).toEqual([201, view]);
    expect(await send('GET', `${feeds}/news`)).toEqual(view);
    expect(await (await gateway.send('GET', '/feeds/branches/news.rss')).text()).toContain(
      '<description>All &lt;of&gt; it</description>',
    );
    const changed = await gateway.send('PUT', `${feeds}/news`, { title: 'Newer', description: null });
    const { description: _description, ...others } = view;
    expect([changed.status, await changed.json()]).toEqual([200, { ...others, title: 'Newer' }]);
    expect((await gateway.send('DELETE', `${feeds}/news`)).status).toBe(204);
    expect((await gateway.send('DELETE', `${feeds}/news`)).status).toBe(404);
    expect(await problemIn(await gateway.send('GET', `${feeds}/news`))).toMatchObject({
      status: 404,
      rule: 'feed-not-found',
    });
  });

  test('is listed in pages', async () => {
    for (const id of ['b', 'a', 'c']) await send('PUT', `${feeds}/${id}`);
    const first = (await send('GET', `${feeds}?limit=3`)) as { items: { id: string }[]; next: string };
    expect(first.items.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(await send('GET', `${feeds}?limit=3&cursor=${first.next}`)).toMatchObject({
      items: [{ id: 'root' }],
    });
  });

  test.each([
    ['complete', 'complete'],
    ['Not-lower', '1 to 63'],
    ['a.b', '1 to 63'],
  ])('is not called %s', async (id, message) => {
    expect(await problemIn(await gateway.send('PUT', `${feeds}/${id}`))).toMatchObject({
      status: 400,
      errors: [{ path: 'path.feed', message: expect.stringContaining(message) }],
    });
  });

  test('stays while something is in it or links to it, and the root for ever', async () => {
    await send('PUT', `${feeds}/used`);
    const { id: inside } = await send('POST', '/v1/collections/branches/items', {
      feed: 'used',
      title: 'In it',
    });
    const { id: linking } = await send('POST', '/v1/collections/branches/items', {
      title: 'Links to it',
      links: [{ feed: 'used' }],
    });
    const refusal = async (): Promise<unknown> => problemIn(await gateway.send('DELETE', `${feeds}/used`));
    expect(await refusal()).toMatchObject({
      status: 409,
      rule: 'feed-in-use',
      detail: expect.stringContaining('1 items'),
    });
    await send('DELETE', `/v1/collections/branches/items/${encodeURIComponent(inside as string)}`);
    expect(await refusal()).toMatchObject({
      status: 409,
      detail: expect.stringContaining(linking as string),
    });
    await send('DELETE', `/v1/collections/branches/items/${encodeURIComponent(linking as string)}`);
    expect((await gateway.send('DELETE', `${feeds}/used`)).status).toBe(204);
    expect(await problemIn(await gateway.send('DELETE', `${feeds}/root`))).toMatchObject({
      status: 409,
      rule: 'feed-in-use',
    });
  });
});

describe('an item of a tree of our own', () => {
  beforeAll(async () => {
    await send('PUT', tree, { protocol: 'cse', title: 'Tree' });
    await send('PUT', `${tree}/feeds/news`, { title: 'News' });
  });

  test('links to files, to feeds and to anything else, and comes first in its feed', async () => {
    const digest = await upload('tree', 'a picture', 'image/png');
    await send('POST', `${tree}/items`, {
      guid: 'section',
      title: 'News',
      hidden: true,
      links: [{ feed: 'news' }],
    });
    const response = await gateway.send('POST', `${tree}/items`, {
      guid: 'gallery',
      title: 'Gallery',
      links: [
        { file: digest, name: 'a b.png' },
        { url: 'http://other.example/x?a=1&b=2', onDemand: true },
      ],
    });
    expect([response.status, response.headers.get('location'), response.headers.get('etag')]).toEqual([
      201,
      `${gateway.url}${tree}/items/root%3Agallery`,
      '"1"',
    ]);
    const links = [
      {
        url: `${gateway.url}/files/tree/${digest}/a%20b.png`,
        nestedFeed: false,
        onDemand: false,
        state: 'cached',
        file: { digest, name: 'a b.png', length: 9, type: 'image/png' },
      },
      {
        url: 'http://other.example/x?a=1&b=2',
        source: 'http://other.example/x?a=1&b=2',
        nestedFeed: false,
        onDemand: true,
      },
    ];
    expect(await response.json()).toMatchObject({
      id: 'root:gallery',
      feed: 'root',
      guid: 'gallery',
      hidden: false,
      title: 'Gallery',
      version: 1,
      revision: 1,
      links,
    });
    await gateway.publish('tree');
    const items = await readings('/feeds/tree.rss');
    expect(
      items.map(({ item, links }) => [
        item.id,
        item.hidden,
        links.map(({ url, onDemand, nestedFeed }) => [url, onDemand, nestedFeed]),
      ]),
    ).toEqual([
      [
        'gallery',
        false,
        [
          [links[0]?.url, false, false],
          [links[1]?.url, true, false],
        ],
      ],
      ['section', true, [[`${gateway.url}/feeds/tree/news.rss`, false, true]]],
    ]);
    expect(await send('GET', `${tree}/items/root:gallery`)).toMatchObject({
      lastBuildDate: expect.any(String),
    });
  });

  test('raises the dates above it when it comes, changes and goes', async () => {
    await send('PUT', '/v1/collections/dated', { protocol: 'cse' });
    await send('PUT', '/v1/collections/dated/feeds/below');
    await send('POST', '/v1/collections/dated/items', {
      guid: 'branch',
      title: 'Branch',
      links: [{ feed: 'below' }],
    });
    await send('POST', '/v1/collections/dated/items', { guid: 'other', title: 'Other' });
    await gateway.publish('dated');
    const dates: [branch: string, other: string][] = [];
    const look = async (): Promise<void> => {
      await gateway.publish('dated');
      const found = new Map(
        (await readings('/feeds/dated.rss')).map(({ item }) => [item.id, item.lastBuildDate]),
      );
      dates.push([found.get('branch') ?? '', found.get('other') ?? '']);
    };
    await look();
    for (const [method, path, body] of [
      ['POST', 'items', { feed: 'below', guid: 'leaf', title: 'Leaf' }],
      ['PUT', 'items/below:leaf', { title: 'Greener' }],
      ['DELETE', 'items/below:leaf', undefined],
    ] as const) {
      await send(method, `/v1/collections/dated/${path}`, body);
      await look();
    }
    const branch = dates.map(([date]) => date);
    expect(branch).toEqual([...new Set(branch)].toSorted());
    expect(new Set(dates.map(([, date]) => date)).size).toBe(1);
  });

  test('gets a guid if it has none, and takes that of its payload', async () => {
    const { id, guid } = await send('POST', `${tree}/items`, { title: 'Nameless' });
    expect([id, guid]).toEqual([`root:${guid as string}`, expect.stringMatching(/^test:tree\../)]);
    expect(
      await send('POST', `${tree}/items`, { title: 'Named', payload: '<guid>http://here.example/1</guid>' }),
    ).toMatchObject({ id: 'root:http://here.example/1', guid: 'http://here.example/1' });
  });

  test('is made from an RSS item too, in which our own addresses are links to what is ours', async () => {
    const digest = await upload('tree', 'in XML');
    const xml =
      '<item xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions" ' +
      'csx:hiddenItem="true"><guid>xml</guid><title>XML</title><p:Photo xmlns:p="urn:p">' +
      `<csx:link>${gateway.url}/files/tree/${digest}/x.txt</csx:link></p:Photo></item>`;
    const response = await gateway.send('POST', `${tree}/items`, xml, {
      'content-type': 'application/rss+xml',
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      201,
      'application/rss+xml; charset=utf-8',
    ]);
    expect(await response.text()).toContain('<csx:lastBuildDate>');
    expect(await send('GET', `${tree}/items/root:xml`)).toMatchObject({
      guid: 'xml',
      hidden: true,
      links: [{ inside: 'Photo', file: { digest } }],
    });
  });

  test('can be sent back as it was read, and stays what it is', async () => {
    const digest = await upload('tree', 'again');
    const payload =
      '<p:Photo xmlns:p="urn:p"><csx:link xmlns:csx="http://schemas.microsoft.com/rss/2007/' +
      `contentsyncextensions">${gateway.url}/files/tree/${digest}/inside.txt</csx:link></p:Photo>`;
    await send('POST', `${tree}/items`, {
      guid: 'again',
      title: 'Again',
      payload,
      links: [{ file: digest, name: 'again.txt' }, { url: 'http://other.example/' }],
    });
    const read = await send('GET', `${tree}/items/root:again`);
    const { revision, version, updatedAt, ...written } = await send('PUT', `${tree}/items/root:again`, read, {
      'if-match': '"1"',
    });
    expect([revision, version, updatedAt]).toEqual([2, 2, expect.any(String)]);
    expect(read).toMatchObject(written);
    expect((written['links'] as unknown[]).length).toBe(3);
  });

  test('keeps its content if only its links or its mark change, and the reverse', async () => {
    const digest = await upload('tree', 'kept');
    await send('POST', `${tree}/items`, { guid: 'kept', title: 'Kept', content: 'Text' });
    expect(
      await send('PUT', `${tree}/items/root:kept`, { links: [{ file: digest }], hidden: true }),
    ).toMatchObject({ title: 'Kept', content: 'Text', hidden: true, links: [{ file: { digest } }] });
    const { payload } = await send('GET', `${tree}/items/root:kept`);
    expect(await send('PUT', `${tree}/items/root:kept`, { title: 'Other', payload })).toMatchObject({
      title: 'Other',
      hidden: true,
      links: [{ file: { digest } }],
    });
  });

  test('leaves its feed when it is deleted, and comes back with new content', async () => {
    await send('POST', `${tree}/items`, { guid: 'gone', title: 'Gone' });
    await send('DELETE', `${tree}/items/root:gone`);
    await gateway.publish('tree');
    expect((await readings('/feeds/tree.rss')).map(({ item }) => item.id)).not.toContain('gone');
    expect(await send('POST', `${tree}/items/root:gone/undelete`, { title: 'Back' })).toMatchObject({
      title: 'Back',
      deleted: false,
    });
  });

  test.each([
    [{ title: 'x', id: 'mine' }, 'body.id'],
    [{ title: 'x', parent: 'other' }, 'body.parent'],
    [{ title: 'x', position: 0 }, 'body.position'],
    [{ title: 'x', noconflicts: true }, 'body.noconflicts'],
    [{ title: 'x', deleted: true }, 'body.deleted'],
    [{ title: 'x', links: [{}] }, 'body.links.0'],
    [{ title: 'x', links: [{ file: 'short' }] }, 'body.links.0.file'],
  ])('is refused as %j', async (body, path) => {
    expect(await problemIn(await gateway.send('POST', `${tree}/items`, body))).toMatchObject({
      status: 400,
      errors: [{ path }],
    });
  });

  test.each([
    [{ title: 'x', feed: 'nowhere' }, 'nowhere'],
    [{ title: 'x', links: [{ feed: 'nowhere' }] }, 'nowhere'],
    [{ title: 'x', links: [{ file: '0'.repeat(64) }] }, '0000'],
    [{ title: 'x', links: [{ url: 'ftp://x.example/' }] }, 'http'],
    [{ title: 'x', feed: 'news', links: [{ feed: 'news' }] }, 'nested'],
  ])('can not be what the tree does not hold: %j', async (body, detail) => {
    expect(await problemIn(await gateway.send('POST', `${tree}/items`, body))).toMatchObject({
      status: 422,
      rule: 'invalid-edit',
      detail: expect.stringContaining(detail),
    });
  });

  test('has no fields of another protocol, nor do items of others have its', async () => {
    await send('PUT', '/v1/collections/others');
    expect(
      await problemIn(
        await gateway.send('POST', '/v1/collections/others/items', { title: 'x', guid: 'g', links: [] }),
      ),
    ).toMatchObject({ status: 400, errors: [{ path: 'body.guid' }, { path: 'body.links' }] });
    expect(
      await problemIn(await gateway.send('DELETE', `${tree}/items/root:gallery?data=keep`)),
    ).toMatchObject({ status: 400, errors: [{ path: 'query.data' }] });
    expect(
      await problemIn(await gateway.send('POST', `${tree}/items/root:gallery/resolve`, { keep: 'winner' })),
    ).toMatchObject({ status: 422, rule: 'invalid-edit' });
  });
});
