import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Instance } from '../../apps/standalone/src/instance.ts';
import { request } from '../support/request.ts';
import { ownRedisDatabase } from '../support/redis-database.ts';
import { until } from '../support/until.ts';
import { Instances } from '../support/instances.ts';

/** An item as the HTTP interface shows it; `payload` is markup, the rest plain values. */
type Shown = Record<string, unknown> & {
  id: string;
  revision: number;
  payload?: string;
  sync: { updates: number };
};

/** Three endpoints in a ring, each subscribed to the one before it: Atom → RSS → Atom → the first again. */
const ring = [
  { name: 'first', format: 'atom', reads: 'third' },
  { name: 'second', format: 'rss', reads: 'first' },
  { name: 'third', format: 'atom', reads: 'second' },
] as const;

const entry = `<entry xmlns="http://www.w3.org/2005/Atom"
  xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#">
  <title>Milk &amp; honey &lt;now&gt;</title>
  <summary>What to buy</summary>
  <content type="html">&lt;p&gt;Two &lt;b&gt;bottles&lt;/b&gt;&lt;/p&gt;</content>
  <rights>Nobody's</rights>
  <link href="http://shop.example/milk"/>
  <link rel="via" href="http://list.example/7"/>
  <link rel="enclosure" href="http://shop.example/milk.png" length="1234" type="image/png"/>
  <category term="food" scheme="http://shop.example/kinds" label="Food"/>
  <category term="today"/>
  <geo:lat>47.5</geo:lat>
</entry>`;

const instances = new Instances();
let instance: Instance;

beforeAll(async () => {
  await instances.open();
  ({ instance } = await instances.start('mixed', await ownRedisDatabase()));
  for (const { name, format } of ring)
    await send('PUT', `/v1/collections/${name}`, { format, endpoint: `test:${name}` });
  for (const { name, reads } of ring) {
    const { format } = ring.find((other) => other.name === reads) ?? ring[0];
    await send('PUT', `/v1/collections/${name}/subscriptions/${reads}`, {
      url: `${instance.url}/feeds/${reads}.${format}`,
      interval: { minimum: 1, maximum: 1 },
    });
  }
});

afterAll(() => instances.end());

async function send(method: string, path: string, body?: object | string): Promise<Shown> {
  const type = typeof body === 'string' ? 'application/atom+xml' : 'application/json';
  const response = await request(`${instance.url}${path}`, {
    method,
    headers: { 'content-type': type, accept: 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Shown;
}

async function items(collection: string): Promise<Shown[]> {
  const response = await request(`${instance.url}/v1/collections/${collection}/items`);
  return ((await response.json()) as { items: Shown[] }).items;
}

/** Waits until every endpoint has read its source twice more. */
async function everyoneReads(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    for (const { name, reads } of ring) {
      const path = `/v1/collections/${name}/subscriptions/${reads}`;
      const before = (await send('GET', path))['last'] as { at: string } | undefined;
      await until(
        () => send('GET', path),
        ({ last, isFetching }) =>
          isFetching === false && (last as { at: string } | undefined)?.at !== before?.at,
      );
    }
  }
}

/** Waits until all endpoints have the same versions, and returns them. */
async function inStep(): Promise<Shown[][]> {
  const versions = (shown: Shown[]): string => JSON.stringify(shown.map(({ id, sync }) => [id, sync]));
  return until(
    () => Promise.all(ring.map(({ name }) => items(name))),
    ([first = [], ...others]) => others.every((other) => versions(other) === versions(first)),
  );
}

test('an item that travels Atom → RSS → Atom keeps its shared data and gets no further version', async () => {
  const { id } = await send('POST', '/v1/collections/first/items', entry);
  await until(
    () => items('third'),
    (shown) => shown.length === 1,
  );
  const [atomItem] = await items('first');
  const [back] = await items('third');
  const shared = ({ title, titleType, content, contentType, summary, rights, link, categories }: Shown) => ({
    title,
    titleType,
    content,
    contentType,
    summary,
    rights,
    link,
    categories,
  });
  expect(shared(back as Shown)).toEqual(shared(atomItem as Shown));
  for (const markup of ['http://list.example/7', 'http://shop.example/milk.png', '47.5'])
    expect(back?.payload).toContain(markup);
  const published = await request(`${instance.url}/feeds/third.atom`);
  expect(await published.text()).toContain('scheme="http://shop.example/kinds" label="Food"');

  const [rssItem] = await items('second');
  expect(rssItem).toMatchObject({
    title: 'Milk & honey <now>',
    content: '<p>Two <b>bottles</b></p>',
    link: 'http://shop.example/milk',
  });

  await send('PUT', `/v1/collections/second/items/${id}`, {
    title: 'Bread',
    content: 'One loaf',
    link: 'http://shop.example/bread',
  });
  await send('POST', '/v1/collections/third/items', { title: 'From the third' });
  await until(
    () => items('first'),
    (shown) => shown.length === 2 && shown.some(({ title }) => title === 'Bread'),
  );
  const atRest = await inStep();
  await everyoneReads();
  expect(await Promise.all(ring.map(({ name }) => items(name)))).toEqual(atRest);
  expect(atRest[0]?.map(({ sync }) => sync.updates).toSorted()).toEqual([1, 2]);
});

test('every endpoint publishes both formats', async () => {
  for (const { name } of ring) {
    for (const [format, root] of [
      ['atom', '<feed'],
      ['rss', '<rss'],
    ] as const) {
      const response = await request(`${instance.url}/feeds/${name}.${format}`);
      expect(response.headers.get('content-type')).toBe(`application/${format}+xml; charset=utf-8`);
      const text = await response.text();
      expect(text).toContain(root);
      expect(text).toContain('Bread');
    }
  }
});
