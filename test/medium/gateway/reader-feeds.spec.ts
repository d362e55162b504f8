import { gunzipSync } from 'node:zlib';
import { get } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import Parser from 'rss-parser';
import { atomFaults } from '../../readers/atom-faults.ts';
import { rssFaults } from '../../readers/rss-faults.ts';
import { run } from '../../../apps/cli/src/run.ts';
import { memoryIo } from '../../cli/memory-io.ts';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const gateway = useGateway({ GATEWAY_READER_ITEMS: '6' });
beforeAll(async () => {
  await Promise.all([fillFeedSync('atom'), fillFeedSync('rss'), fillSse(), fillTree()]);
});

const faultsOf = { atom: atomFaults, rss: rssFaults } as const;
const parser = new Parser();

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await gateway.send(method, `/v1/collections/${path}`, body, headers);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}

/** An item that has much of what items can have, another that has only a title, and two that are deleted. */
async function fillFeedSync(format: 'atom' | 'rss'): Promise<void> {
  const name = `plans-${format}`;
  await send('PUT', name, { title: 'Plans & <more>', format });
  const items = `${name}/items`;
  const content = '<p>Sow <a href="later.html">later</a> &amp; <img src="/i.png"></p>';
  const full = format === 'atom' ? { contentType: 'html', summary: 'Sow & reap', rights: 'mine' } : {};
  await send('POST', items, {
    id: 'sow',
    title: 'AT&T <b>',
    link: 'http://a.example/b/c',
    categories: ['x & y'],
    content,
    ...full,
  });
  await send('POST', items, {
    id: 'titled',
    title: 'Only a title',
    payload: '<m:x xmlns:m="urn:m">foreign</m:x>',
  });
  await send('POST', items, { id: 'untitled', content: 'Two lines\nof text' });
  await send('POST', items, { id: 'gone', title: 'Gone', content: 'a secret' });
  await send('POST', items, { id: 'emptied', title: 'Emptied', content: 'a secret' });
  await send('DELETE', `${items}/gone`);
  await send('DELETE', `${items}/emptied?data=remove`);
  await gateway.publish(name);
}

async function fillSse(): Promise<void> {
  await send('PUT', 'notes', { title: 'Notes', protocol: 'sse', format: 'rss', settings: { ordered: true } });
  const source =
    '<item><title>Theirs</title><guid>http://a.example/1</guid>' +
    '<pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate><description>D</description>' +
    '<enclosure url="http://a.example/a.mp3" type="audio/mpeg" length="7"/></item>';
  await send('POST', 'notes/items', source, { 'content-type': 'application/rss+xml' });
  await send('POST', 'notes/items', { id: 'gone', title: 'Gone', content: 'a secret' });
  await send('DELETE', 'notes/items/gone');
  await gateway.publish('notes');
}

async function fillTree(): Promise<void> {
  await send('PUT', 'paper', { title: 'Paper', protocol: 'cse' });
  await send('PUT', 'paper/feeds/root', {
    title: 'The Paper',
    description: 'Daily',
    link: 'http://paper.example',
  });
  await send('PUT', 'paper/feeds/news', {});
  const { digest } = await send('POST', 'paper/files', 'a picture', { 'content-type': 'image/png' });
  await send('POST', 'paper/items', { title: 'News', links: [{ feed: 'news' }] });
  await send('POST', 'paper/items', {
    feed: 'news',
    guid: 'story',
    title: 'Story',
    content: '<p>Once</p>',
    links: [{ file: digest, name: 'a.png' }],
  });
  await send('POST', 'paper/items', { feed: 'news', title: 'Hidden', hidden: true });
  await send('POST', 'paper/items', { guid: 'gone', title: 'Gone', content: 'a secret' });
  await send('DELETE', 'paper/items/root:gone');
  await gateway.publish('paper');
}

async function read(name: string, format: string): Promise<{ xml: string; url: string; response: Response }> {
  const url = `${gateway.url}/feeds/${name}/reader.${format}`;
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return { xml: await response.text(), url, response };
}

const collections = ['plans-atom', 'plans-rss', 'notes', 'paper'] as const;
const formats = ['atom', 'rss'] as const;

describe.each(collections)('the feeds for feed readers of %s', (name) => {
  test.each(formats)(
    'are valid in %s, and have no synchronisation data and nothing that is deleted',
    async (format) => {
      const { xml, url, response } = await read(name, format);
      expect(response.headers.get('content-type')).toBe(`application/${format}+xml; charset=utf-8`);
      expect(faultsOf[format](xml, url)).toEqual([]);
      expect(xml).not.toMatch(/feedsync|schemas\/rss\/sse|contentsyncextensions|secret|Gone|Emptied|Hidden/);
    },
  );

  test.each(formats)(
    'are read as plain strings in %s by a parser that knows no namespaces',
    async (format) => {
      const { items, title, link, feedUrl } = await parser.parseString((await read(name, format)).xml);
      expect([title, link].every((text) => typeof text === 'string' && text !== '')).toBe(true);
      expect(feedUrl).toBe(`${gateway.url}/feeds/${name}/reader.${format}`);
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) {
        expect(item).toMatchObject({
          title: expect.any(String),
          isoDate: expect.stringMatching(/^20/),
          pubDate: expect.any(String),
        });
        expect(['string', 'undefined']).toContain(typeof item.link);
        expect(['string', 'undefined']).toContain(typeof item.content);
      }
    },
  );

  test('have the same entries in both formats, the newest first', async () => {
    const [atom, rss] = await Promise.all(formats.map(async (format) => (await read(name, format)).xml));
    const ids = [...(atom ?? '').matchAll(/<entry.*?<id>([^<]*)<\/id>/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(
      [...(rss ?? '').matchAll(/<guid isPermaLink="false">([^<]*)<\/guid>/g)].map(([, id]) => id),
    ).toEqual(ids);
    const sequences = [...(atom ?? '').matchAll(/<entry.*?<updated>[^.]*\.(\d{6})Z/g)].map(
      ([, sequence]) => sequence,
    );
    expect(sequences).toEqual(sequences.toSorted((a = '', b = '') => b.localeCompare(a)));
  });

  test('are named where the collection is shown', async () => {
    const urls = Object.fromEntries(
      formats.map((format) => [format, `${gateway.url}/feeds/${name}/reader.${format}`]),
    );
    expect(await send('GET', name)).toMatchObject({ links: { readerFeeds: urls } });
  });
});

/** What `feedmesh validate` finds in a feed of ours. */
async function validated(path: string): Promise<unknown> {
  const response = await gateway.send('GET', `/feeds/${path}`);
  expect([path, response.status]).toEqual([path, 200]);
  const io = memoryIo({ stdin: await response.text() });
  await run(['validate', '-o', 'json', '-'], io);
  const { errors, warnings, violations } = JSON.parse(io.out()) as Record<string, unknown>;
  return errors === 0 && warnings === 0 ? [] : violations;
}

test.each([
  ...collections.flatMap((name) => formats.map((format) => `${name}/reader.${format}`)),
  ...['plans-atom', 'plans-rss'].flatMap((name) => formats.map((format) => `${name}.${format}`)),
  ...['plans-atom', 'plans-rss'].flatMap((name) => formats.map((format) => `${name}/complete.${format}`)),
  'notes.rss',
  'paper/root.rss',
])('nothing breaks the rules of Atom, RSS and its protocol in our feed %s', async (path) => {
  expect(await validated(path)).toEqual([]);
});

describe('an entry', () => {
  test('has every value at the position that readers expect', async () => {
    const [atom, rss] = await Promise.all(
      formats.map(async (format) => parser.parseString((await read('plans-atom', format)).xml)),
    );
    const content =
      '<p>Sow <a href="http://a.example/b/later.html">later</a> &amp; <img src="http://a.example/i.png"></p>';
    expect(atom?.items.at(-1)).toMatchObject({
      title: 'AT&amp;T &lt;b>',
      link: 'http://a.example/b/c',
      content,
      summary: 'Sow &amp; reap',
      id: expect.stringMatching(/^urn:uuid:/),
    });
    expect(rss?.items.at(-1)).toMatchObject({
      title: 'AT&T <b>',
      link: 'http://a.example/b/c',
      content: 'Sow &amp; reap',
      'content:encoded': content,
      guid: expect.stringMatching(/^urn:uuid:/),
      categories: ['x & y'],
    });
    expect(atom?.items.map(({ title }) => title)).toEqual([
      'Two lines of text',
      'Only a title',
      'AT&amp;T &lt;b>',
    ]);
  });

  test('of SSE keeps the date that it came with', async () => {
    const { items } = await parser.parseString((await read('notes', 'rss')).xml);
    expect(items).toMatchObject([
      {
        title: 'Theirs',
        isoDate: '2026-01-02T03:04:05.000Z',
        content: 'D',
        enclosure: { url: 'http://a.example/a.mp3', length: '7', type: 'audio/mpeg' },
      },
    ]);
  });

  test('of a tree has its file as an enclosure, and the feed is called what its root is called', async () => {
    const feed = await parser.parseString((await read('paper', 'rss')).xml);
    expect(feed).toMatchObject({ title: 'The Paper', description: 'Daily', link: 'http://paper.example/' });
    expect(feed.items.map(({ title }) => title)).toEqual(['Story', 'News']);
    expect(feed.items[0]?.enclosure).toMatchObject({
      url: expect.stringMatching(/\/files\/paper\/[0-9a-f]{64}\/a\.png$/),
      type: 'image/png',
      length: '9',
    });
  });

  test('keeps its id and date of publication when it is edited, and comes first as the latest', async () => {
    await send('PUT', 'edited', { settings: { cleanUpHistory: true } });
    for (const id of ['a', 'b']) await send('POST', 'edited/items', { id, title: id });
    await gateway.publish('edited');
    const entryOf = async (title: string) => {
      const { xml } = await read('edited', 'atom');
      const [entry = ''] = xml.split('\n').filter((line) => line.includes(`<title>${title}<`));
      const value = (element: string): string => new RegExp(`<${element}>([^<]*)<`).exec(entry)?.[1] ?? '';
      return {
        first:
          xml.split('\n').findIndex((line) => line.startsWith('<entry')) === xml.split('\n').indexOf(entry),
        id: value('id'),
        published: value('published'),
        updated: value('updated'),
      };
    };
    const before = await entryOf('a');
    expect(before.first).toBe(false);
    for (const title of ['a2', 'a3']) await send('PUT', 'edited/items/a', { title });
    await gateway.publish('edited', { at: new Date(Date.now() + 5000) });
    const after = await entryOf('a3');
    expect(after).toMatchObject({ first: true, id: before.id, published: before.published });
    expect(after.updated > before.updated).toBe(true);
  });
});

describe('a feed for feed readers', () => {
  test('has as many entries as the setting says, the latest that are not deleted', async () => {
    await send('PUT', 'long');
    for (let number = 0; number < 9; number += 1)
      await send('POST', 'long/items', { id: `i${number}`, title: `Item ${number}` });
    await gateway.publish('long');
    await send('DELETE', 'long/items/i8');
    await gateway.publish('long');
    const { items } = await parser.parseString((await read('long', 'atom')).xml);
    expect(items.map(({ title }) => title)).toEqual([7, 6, 5, 4, 3, 2].map((number) => `Item ${number}`));
  });

  test('of a collection without items is valid', async () => {
    await send('PUT', 'bare', { title: ' ' });
    for (const format of formats) {
      const { xml, url } = await read('bare', format);
      expect(faultsOf[format](xml, url)).toEqual([]);
    }
  });

  test('is not sent again to a reader that has it, by tag or date, until something changes', async () => {
    await send('PUT', 'cached');
    await gateway.makeOlder('cached', new Date(Date.now() - 120_000));
    await gateway.holdBack('cached');
    await send('POST', 'cached/items', { id: 'a', title: 'A' });
    await gateway.publish('cached', { at: new Date(Date.now() - 60_000) });
    const { response, url } = await read('cached', 'rss');
    const [etag = '', lastModified = ''] = ['etag', 'last-modified'].map(
      (name) => response.headers.get(name) ?? undefined,
    );
    expect(etag).toMatch(/^W\/"/);
    const conditions: Record<string, string>[] = [
      { 'if-none-match': etag },
      { 'if-modified-since': lastModified },
    ];
    for (const headers of conditions) expect((await fetch(url, { headers })).status).toBe(304);
    expect((await read('cached', 'atom')).response.headers.get('etag')).not.toBe(etag);
    await send('PUT', 'cached/items/a', { title: 'B' });
    await gateway.publish('cached');
    for (const headers of conditions) expect((await fetch(url, { headers })).status).toBe(200);
  });

  test('is compressed for a reader that takes that, and has the same headers for HEAD', async () => {
    const { xml, url, response } = await read('plans-atom', 'atom');
    const compressed = await new Promise<{ coding: string | undefined; body: Buffer }>((done, fail) => {
      get(url, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
        const chunks: Buffer[] = [];
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => done({ coding: answer.headers['content-encoding'], body: Buffer.concat(chunks) }))
          .on('error', fail);
      }).on('error', fail);
    });
    expect([compressed.coding, gunzipSync(compressed.body).toString()]).toEqual(['gzip', xml]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([
      head.status,
      head.headers.get('etag'),
      head.headers.get('content-type'),
      await head.text(),
    ]).toEqual([200, response.headers.get('etag'), response.headers.get('content-type'), '']);
  });

  test('is published in no third format, and not of outlines', async () => {
    expect(await problemIn(await gateway.send('GET', '/feeds/plans-atom/reader.json'))).toMatchObject({
      status: 404,
      rule: 'feed-not-found',
      feeds: { atom: `${gateway.url}/feeds/plans-atom/reader.atom` },
    });
    await send('PUT', 'reading', { format: 'opml' });
    expect(await problemIn(await gateway.send('GET', '/feeds/reading/reader.atom'))).toMatchObject({
      status: 404,
      rule: 'feed-not-found',
      detail: expect.stringContaining('outlines'),
      outline: `${gateway.url}/v1/collections/reading/outline`,
    });
    expect((await send('GET', 'reading'))['links']).not.toHaveProperty('readerFeeds');
    expect(await problemIn(await gateway.send('GET', '/feeds/nowhere/reader.atom'))).toMatchObject({
      status: 404,
      rule: 'collection-not-found',
    });
  });

  test('has an address that no feed of a tree takes', async () => {
    expect(
      await problemIn(await gateway.send('PUT', '/v1/collections/paper/feeds/reader', {})),
    ).toMatchObject({ status: 400, errors: [{ message: expect.stringContaining('"reader"') }] });
  });
});
