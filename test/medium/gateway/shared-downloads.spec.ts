import { beforeAll, expect, test } from '@jest/globals';
import { StalledDownload } from '../../support/stalled-download.ts';
import { useGateway } from './use-gateway.ts';

const itemCount = 8;
/** More than the operating system takes from us for a client that does not read. */
const itemLength = 1_900_000;
const readerCount = 12;

const gateway = useGateway({ GATEWAY_STALL_SECONDS: '300', GATEWAY_PAGE_BYTES: '100000000' });
beforeAll(async () => {
  for (const [name, body] of [
    ['items', {}],
    ['ordered', { protocol: 'sse', format: 'rss' }],
    ['outlines', { protocol: 'sse', format: 'opml' }],
  ] as const) {
    await send('PUT', name, body);
    for (let number = 1; number <= itemCount; number += 1) {
      const text = `${number} `.padEnd(itemLength, 'x');
      const item =
        name === 'outlines' ? { attributes: { text } } : { id: `${number}`, title: 'T', content: text };
      await send('POST', `${name}/items`, item);
    }
    await gateway.publish(name);
  }
  await send('PUT', 'tree', { protocol: 'cse' });
  for (let number = 1; number <= itemCount; number += 1)
    await send('POST', 'tree/items', { guid: `${number}`, title: 'T'.repeat(itemLength) });
  await gateway.publish('tree');
});

async function send(method: string, path: string, body: unknown): Promise<void> {
  const response = await gateway.send(method, `/v1/collections/${path}`, body);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  await response.body?.cancel();
}

const feeds = [
  '/feeds/items.atom',
  '/feeds/items/complete.rss',
  '/feeds/items.atom?since=0000000000000002',
  '/feeds/items/reader.atom',
  '/feeds/ordered.rss',
  '/feeds/outlines.opml',
  '/feeds/tree.rss',
] as const;

test.each(feeds)('%s is read from MongoDB once for readers at the same time', async (path) => {
  let whole = {};
  const once = await gateway.operations(async () => {
    whole = await (await StalledDownload.begin(`${gateway.url}${path}`)).read();
  });
  expect(whole).toMatchObject({ isWhole: true });
  const shared = await gateway.operations(async () => {
    const downloads = await Promise.all(
      Array.from({ length: readerCount }, () => StalledDownload.begin(`${gateway.url}${path}`)),
    );
    // One of them reads to the end while the others read nothing.
    for (const download of [downloads.slice(0, 1), downloads.slice(1)])
      for (const read of await Promise.all(download.map((each) => each.read()))) expect(read).toEqual(whole);
  });
  const itemsOf = (operations: typeof once): number =>
    operations
      .filter(({ name }) => name === 'query items')
      .reduce((sum, { documents }) => sum + documents, 0);
  expect(itemsOf(once)).toBeGreaterThan(itemCount / 2);
  expect(itemsOf(shared)).toBeLessThanOrEqual(itemsOf(once) * 2);
});

test('responses that nobody reads are cut off once they take the memory of others', async () => {
  const url = `${gateway.url}/v1/collections/items/items`;
  const stalled: StalledDownload[] = [];
  for (let count = 0; count < readerCount; count += 1) stalled.push(await StalledDownload.begin(url));
  const last = await (await StalledDownload.begin(url)).read();
  expect(last).toMatchObject({ isWhole: true });
  const read = await Promise.all(stalled.map((download) => download.read()));
  const whole = read.filter(({ isWhole }) => isWhole);
  expect(whole.length).toBeGreaterThan(0);
  expect(whole.length * last.length).toBeLessThan(50_000_000);
});
