import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PreviewView } from '#contracts';
import { freePort } from '#databases';
import { run } from '../../../apps/cli/src/run.ts';
import { memoryIo } from '../../cli/memory-io.ts';
import { entry, feed } from './feed.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const pipeline = usePipeline();
let gateway: string;

const administrator = 'a'.repeat(40);

beforeAll(async () => {
  const PORT = `${await freePort()}`;
  gateway = `http://127.0.0.1:${PORT}`;
  await pipeline.start('fetcher');
  await pipeline.startWith({ PORT, PUBLIC_URL: gateway }, 'gateway');
});

async function request(body: object): Promise<Response> {
  return fetch(`${gateway}/v1/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function previewOf(path: string, more: object = {}): Promise<PreviewView> {
  const response = await request({ url: pipeline.feeds.url(path), ...more });
  const body = (await response.json()) as PreviewView;
  expect([response.status, body]).toMatchObject([200, {}]);
  return body;
}

const story =
  '<item><title>Frost</title><link>http://a.example/frost</link><guid>http://a.example/frost</guid>' +
  '<description>&lt;p&gt;Half of the blossom&lt;/p&gt;</description><author>ann@a.example (Ann)</author>' +
  '<category>weather</category><pubDate>Thu, 01 Jan 2026 10:00:00 GMT</pubDate>' +
  '<enclosure url="http://a.example/a.mp3" length="7" type="audio/mpeg"/></item>';

function rss(items: readonly string[]): string {
  return (
    '<rss version="2.0"><channel><title>The Paper</title><link>http://a.example/</link><description/>' +
    `${items.join('\n')}</channel></rss>`
  );
}

test('an ordinary feed is shown with the values of its items, and nothing is stored', async () => {
  pipeline.feeds.serve('/paper', rss([story, '<item/>']));
  const before = await pipeline.rows();
  expect(await previewOf('/paper')).toEqual({
    url: pipeline.feeds.url('/paper'),
    title: 'The Paper',
    format: 'rss',
    document: 'rss',
    isSynchronised: false,
    items: [
      expect.objectContaining({
        id: expect.stringMatching(/^adopted:[0-9a-f]{32}$/),
        title: 'Frost',
        link: 'http://a.example/frost',
        content: '<p>Half of the blossom</p>',
        categories: ['weather'],
        published: '2026-01-01T10:00:00Z',
        authors: [{ name: 'Ann', email: 'ann@a.example' }],
        enclosures: [{ url: 'http://a.example/a.mp3', length: 7, type: 'audio/mpeg' }],
        deleted: false,
      }),
    ],
    itemCount: 1,
    leftOut: 1,
    violations: [expect.objectContaining({ rule: 'item-empty', severity: 'warning' })],
  });
  const counts = (rows: Awaited<typeof before>): unknown =>
    ['items', 'subscriptions', 'collections', 'manifests', 'deadletters'].map(
      (name) => rows.get(name)?.length,
    );
  expect(counts(await pipeline.rows())).toEqual(counts(before));
});

test('the first items are shown in the order of the feed, and long texts are cut', async () => {
  const items = Array.from(
    { length: 60 },
    (_, n) => `<item><title>${n}</title><description>${'x'.repeat(20_000)}</description></item>`,
  );
  pipeline.feeds.serve('/long', rss(items));
  const { items: shown, itemCount } = await previewOf('/long');
  expect(shown.map(({ title }) => title)).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
  expect(itemCount).toBe(60);
  expect(shown[0]?.content).toBe(`${'x'.repeat(10_000)}…`);
  const two = await previewOf('/long', { limit: 2 });
  expect([two.items.length, two.itemCount]).toEqual([2, 60]);
});

test('a feed in another format, or a broken one, is shown as it would be adopted', async () => {
  const version = 'https://jsonfeed.org/version/1.1';
  const json = { version, title: 'J', items: [{ id: 'a', content_text: 'A' }] };
  pipeline.feeds.serve('/json', {
    headers: { 'content-type': 'application/feed+json' },
    body: JSON.stringify(json),
  });
  expect(await previewOf('/json')).toMatchObject({ document: 'json-feed', format: 'atom', itemCount: 1 });
  pipeline.feeds.serve('/broken', rss(['<item><title>Salt & pepper</title></item>']));
  expect(await previewOf('/broken')).toMatchObject({
    items: [{ title: 'Salt & pepper' }],
    violations: [{ rule: 'mended-reference' }],
  });
});

test('the items of a synchronised feed are shown as they would be merged', async () => {
  pipeline.feeds.serve(
    '/sync',
    feed([entry('a', ['1 there']), entry('b', ['1 there']), entry('a', ['2 there', '1 there'])]),
  );
  const { isSynchronised, items, itemCount } = await previewOf('/sync');
  expect([isSynchronised, itemCount]).toEqual([true, 2]);
  expect(items.map(({ id, title }) => [id, title])).toEqual([
    ['a', 'a 2 there'],
    ['b', 'b 1 there'],
  ]);
});

test('of a page, the feed that it names is shown', async () => {
  const link = '<link rel="alternate" type="application/rss+xml" href="/paper">';
  pipeline.feeds.serve('/paper', rss([story]));
  pipeline.feeds.serve('/page', {
    headers: { 'content-type': 'text/html' },
    body: `<!doctype html><html><head>${link}</head></html>`,
  });
  expect(await previewOf('/page')).toMatchObject({
    url: pipeline.feeds.url('/paper'),
    page: pipeline.feeds.url('/page'),
    itemCount: 1,
  });
});

describe('a feed that can not be read', () => {
  test.each([
    ['/missing', 'http-404', 'http-status', /404/],
    ['/nothing', 'no-feed', 'no-feed-link', /names no feed/],
    ['/sitemap', 'invalid-feed', 'feed-root', /This is a sitemap/],
  ])('%s: the problem has the cause %s and the rule %s', async (path, cause, fetchRule, reason) => {
    pipeline.feeds.serve('/nothing', '<!doctype html><html><head></head></html>');
    pipeline.feeds.serve('/sitemap', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>');
    const response = await request({ url: pipeline.feeds.url(path) });
    expect([response.status, await response.json()]).toMatchObject([
      422,
      {
        type: 'urn:feedmesh:problem:preview-failed',
        cause,
        fetchRule,
        detail: expect.stringMatching(reason),
      },
    ]);
  });

  test('is not reached if its address is not public', async () => {
    const response = await request({ url: 'http://10.0.0.1/feed' });
    expect([response.status, await response.json()]).toMatchObject([422, { cause: 'address' }]);
  });

  test('is no URL', async () => {
    const response = await request({ url: 'paper.example/feed' });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ path: 'body.url', message: expect.stringContaining('https://paper.example/feed') }] },
    ]);
  });
});

test('whoever may subscribe some collection may preview', async () => {
  const PORT = `${await freePort()}`;
  const url = `http://127.0.0.1:${PORT}`;
  const access = {
    AUTH: 'required',
    AUTH_ADMIN_KEY: administrator,
    AUTH_SECRETS: Buffer.alloc(32, 's').toString('base64'),
  };
  await pipeline.startWith({ PORT, PUBLIC_URL: url, ...access }, 'gateway');
  const send = async (path: string, key: string, body: object): Promise<Response> =>
    fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
  const statusFor = async (permissions: readonly string[], collections = 'mine'): Promise<number> => {
    const grants = [{ permissions, collections }];
    const response = await send('keys', administrator, { name: permissions.join('-'), grants });
    const { key } = (await response.json()) as { key: string };
    return (await send('preview', key, { url: pipeline.feeds.url('/paper') })).status;
  };
  pipeline.feeds.serve('/paper', rss([story]));
  expect(await statusFor(['read', 'write'])).toBe(403);
  expect(await statusFor(['subscribe'])).toBe(200);
  const put = async (body: object): Promise<Response> =>
    fetch(`${url}/v1/tenants/acme`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${administrator}` },
      body: JSON.stringify(body),
    });
  await put({});
  expect(await statusFor(['subscribe'], 'acme.*')).toBe(200);
  await put({ suspended: true });
  await until(
    () => statusFor(['subscribe'], 'acme.*'),
    (status) => status === 403,
  );
});

test('the command line prints a line for each item', async () => {
  pipeline.feeds.serve('/paper', rss([story]));
  const io = memoryIo();
  const url = pipeline.feeds.url('/paper');
  expect(await run(['preview', url, '--url', gateway], io)).toBe(0);
  expect(io.out()).toBe('2026-01-01T10:00:00Z\tFrost\thttp://a.example/frost\n');
  expect(io.err()).toBe(`${url}: a subscription would adopt 1 item\n`);
  const missing = memoryIo();
  expect(await run(['preview', pipeline.feeds.url('/missing'), '--url', gateway], missing)).toBe(2);
  expect(missing.err()).toContain('404');
});
