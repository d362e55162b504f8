import { beforeAll, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { subscription } from '../../acceptance/store/samples.ts';
import { useGateway } from './use-gateway.ts';

const gateway = useGateway();
beforeAll(async () => {
  await send('PUT', '/v1/collections/news', { format: 'atom' });
  await send('POST', '/v1/collections/news/items', { id: 'first', title: 'First' });
  await gateway.publish('news');
  await send('PUT', '/v1/collections/tree', { protocol: 'cse' });
  for (const feed of ['east', 'west']) {
    await send('PUT', `/v1/collections/tree/feeds/${feed}`);
    await send('POST', '/v1/collections/tree/items', { guid: feed, title: feed, links: [{ feed }] });
    await send('POST', '/v1/collections/tree/items', { feed, guid: `in ${feed}`, title: `In ${feed}` });
  }
  await gateway.publish('tree');
});

async function send(method: string, path: string, body?: unknown): Promise<void> {
  const response = await gateway.send(method, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
}

/** What a request comes to, and the names of the operations on MongoDB that it takes. */
async function read(path: string, headers: Record<string, string> = {}) {
  let found = { status: 0, etag: '', text: '' };
  const operations = await gateway.operations(async () => {
    const response = await gateway.send('GET', path, undefined, headers);
    const { status } = response;
    found = { status, etag: response.headers.get('etag') ?? '', text: await response.text() };
  });
  return {
    ...found,
    operations: operations.map(({ name }) => name).sort(),
    documents: operations.reduce((sum, { documents }) => sum + documents, 0),
  };
}

const tree = ['query collections', 'query feeds'];
const feeds = [
  ['/feeds/news.atom', ['query collections']],
  ['/feeds/news/complete.rss', ['query collections']],
  ['/feeds/news/reader.atom', ['query collections']],
  ['/feeds/news/reader.rss', ['query collections']],
  ['/feeds/tree.rss', tree],
  ['/feeds/tree/east.rss', tree],
  ['/feeds/tree/reader.atom', tree],
] as const;

test.each(feeds)('%s is composed once, and then sent as it is kept', async (path, rows) => {
  const first = await read(path, { 'accept-encoding': 'gzip' });
  expect(first.status).toBe(200);
  const again = await read(path, { 'accept-encoding': 'gzip' });
  expect(again).toEqual({ ...first, operations: rows, documents: rows.length });
  const unchanged = await read(path, { 'if-none-match': first.etag });
  expect(unchanged).toEqual({ ...first, status: 304, text: '', operations: rows, documents: rows.length });
});

test('a path that is written in another way leads to the same feed', async () => {
  const { etag, text } = await read('/feeds/tree/east.rss');
  for (const path of ['/feeds/tree/%65ast.rss', '/feeds/tree/east.rss?'])
    expect(await read(path)).toMatchObject({ status: 200, etag, text });
});

test('a change in a tree leaves what is kept of the feeds that it is not below', async () => {
  const paths = ['/feeds/tree.rss', '/feeds/tree/east.rss', '/feeds/tree/west.rss'];
  const before = [];
  for (const path of paths) before.push(await read(path));
  await send('POST', '/v1/collections/tree/items', { feed: 'east', guid: 'new', title: 'New' });
  await gateway.publish('tree');
  const west = await read('/feeds/tree/west.rss');
  expect(west).toMatchObject({ operations: tree, etag: before[2]?.etag, text: before[2]?.text });
  for (const [place, path] of paths.slice(0, 2).entries()) {
    const changed = await read(path, { 'if-none-match': before[place]?.etag ?? '' });
    expect(changed.status).toBe(200);
    expect(changed.etag).not.toBe(before[place]?.etag);
  }
  expect((await read('/feeds/tree/east.rss')).text).toContain('<title>New</title>');
});

/** Sends a change, then requests feeds that were kept before; returns their texts. */
async function after(change: () => Promise<void>, ...paths: readonly string[]): Promise<string[]> {
  const kept = [];
  for (const path of paths) kept.push((await read(path)).etag);
  await change();
  const texts = [];
  for (const [place, path] of paths.entries()) {
    const { status, text } = await read(path, { 'if-none-match': kept[place] ?? '' });
    expect(status).toBe(200);
    texts.push(text);
  }
  return texts;
}

test('a title, a deletion and a setting are seen at once they are acknowledged or published', async () => {
  const titled = await after(
    () => send('PUT', '/v1/collections/tree/feeds/root', { title: 'Renamed' }),
    '/feeds/tree.rss',
    '/feeds/tree/reader.atom',
  );
  for (const text of titled) expect(text).toContain('Renamed');
  const [east, reader] = await after(
    async () => {
      await send('DELETE', '/v1/collections/tree/items/east:new');
      await gateway.publish('tree');
    },
    '/feeds/tree/east.rss',
    '/feeds/tree/reader.rss',
  );
  expect(east).not.toContain('<title>New</title>');
  expect(reader).not.toContain('<title>New</title>');
  await after(
    () => send('PUT', '/v1/collections/tree', { settings: { links: 'original' } }),
    '/feeds/tree/west.rss',
    '/feeds/tree/reader.rss',
  );
});

test('a feed or a collection that is removed is not found any more', async () => {
  await send('DELETE', '/v1/collections/tree/items/west:in%20west');
  await send('DELETE', '/v1/collections/tree/items/root:west');
  await gateway.publish('tree');
  expect((await read('/feeds/tree/west.rss')).status).toBe(200);
  await send('DELETE', '/v1/collections/tree/feeds/west');
  expect((await read('/feeds/tree/west.rss')).status).toBe(404);
  await send('DELETE', '/v1/collections/tree');
  for (const path of ['/feeds/tree.rss', '/feeds/tree/east.rss', '/feeds/tree/reader.atom'])
    expect((await read(path)).status).toBe(404);
});

test('a feed is composed from the subscriptions whose markup it shows, however many there are', async () => {
  const key = collectionKey('subscribed');
  await send('PUT', '/v1/collections/subscribed');
  await gateway.publish('subscribed');
  await read('/feeds/subscribed.atom');
  const documents: number[] = [];
  for (const [from, to] of [
    [0, 5],
    [5, 300],
  ] as const) {
    await gateway.store.subscriptions.createAll(
      Array.from({ length: to - from }, (_, index) => subscription(key, `s-${from + index}`)),
    );
    await send('PATCH', '/v1/collections/subscribed', { title: `Up to ${to}` });
    documents.push((await read('/feeds/subscribed.atom')).documents);
  }
  expect(documents[1]).toBe(documents[0]);
});
