import { sseDialect } from '#sse';
import { describe, expect, test } from '@jest/globals';
import { readOutlineDocument } from '#xml';
import type { OutlineNode } from '#xml';
import { isFeedTree } from '#protocols';
import { arrangeCollection, mergeFragments } from '#items';
import { finish, collectionKey, subscriptionId } from '#core';
import type { CollectionKey } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';
import { fragmentsOf } from '../../support/fragments-of.ts';

const gateway = useGateway();

const opmlType = { 'content-type': 'text/x-opml' };

/** What an aggregator exports: nested folders, and things that only it knows. */
const aggregator = `<?xml version="1.0" encoding="utf-8"?>
<opml version="1.1" xmlns:r="urn:example:reader">
  <head><title>My feeds</title><dateCreated>Mon, 02 Jan 2006 08:00:00 GMT</dateCreated></head>
  <body>
    <outline text="Küche &amp; Garten" title="Küche &amp; Garten" isOpen="true">
      <outline type="rss" text="Brot" title="Brot" xmlUrl="http://bread.example/feed?a=1&amp;b=2"
        htmlUrl="http://bread.example/" description="Line one&#10;line two" r:unread="12" r:rating="5"/>
      <outline text="Obst">
        <outline type="rss" text="Apples &lt;3" xmlUrl="http://apples.example/feed"
          htmlUrl="http://apples.example/">
          <r:note r:by="me">keep <b xmlns="http://www.w3.org/1999/xhtml">this</b></r:note>
        </outline>
        <outline type="rss" text="Apples &lt;3" xmlUrl="http://apples.example/again"/>
      </outline>
    </outline>
    <outline type="link" text="A page" url="http://page.example/"/>
    <outline text=""/>
  </body>
</opml>`;

async function collection(name: string, body: object = { format: 'opml' }): Promise<string> {
  expect((await gateway.send('PUT', `/v1/collections/${name}`, body)).status).toBe(201);
  return `/v1/collections/${name}`;
}

async function send(method: string, path: string, body: string): Promise<Record<string, unknown>> {
  const response = await gateway.send(method, path, body, opmlType);
  if (response.status !== 200) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

test('a subscription list may spell xmlUrl otherwise, and have ampersands that are not escaped', async () => {
  const path = await collection('spelled', {});
  const list =
    '<opml version="2.0"><head/><body><outline text="a & b" xmlurl="http://a.example/?a=1&b=2"/>' +
    '<outline text="b" type="rss" url="http://b.example/"/><outline type="link" url="http://c.example/"/>' +
    '<outline text="d" XMLURL="http://d.example/?a=1&amp;b=2"/></body></opml>';
  expect(await send('POST', `${path}/subscriptions`, list)).toEqual({ created: 3, existing: 0, refused: [] });
  const { items } = (await (await gateway.send('GET', `${path}/subscriptions`)).json()) as {
    items: readonly { url: string }[];
  };
  expect(items.map(({ url }) => url).toSorted()).toEqual([
    'http://a.example/?a=1&b=2',
    'http://b.example/',
    'http://d.example/?a=1&b=2',
  ]);
});

async function exported(path: string): Promise<string> {
  const response = await gateway.send('GET', path, undefined, { accept: 'text/x-opml' });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/x-opml; charset=utf-8',
  ]);
  return response.text();
}

/** What a document says: the attributes and further children of every outline, nested. */
function meaning(xml: string): unknown {
  const shown = ({ payload: { attributes = [], children }, children: inner }: OutlineNode): unknown => ({
    attributes: Object.fromEntries(
      attributes.map(({ namespace, name, value }) => [`{${namespace}}${name}`, value]),
    ),
    further: children.map(({ namespace, name, xml: text }) => [
      namespace,
      name,
      text.replaceAll(/ xmlns(:\w+)?="[^"]*"/g, ''),
    ]),
    children: inner.map(shown),
  });
  return finish(readOutlineDocument(xml, { synchronisation: sseDialect.namespaces })).outlines.map(shown);
}

const document = (...outlines: string[]): string =>
  `<opml version="1.0"><head><title>x</title></head><body>${outlines.join('')}</body></opml>`;

const feed = (name: string): string =>
  `<outline type="rss" text="${name}" xmlUrl="http://${name}.example/feed"/>`;

describe("an aggregator's OPML", () => {
  test('survives import and export with nothing lost', async () => {
    const path = await collection('kept');
    expect(await send('POST', `${path}/outline`, aggregator)).toEqual({
      created: 7,
      updated: 0,
      moved: 0,
      deleted: 0,
      unchanged: 0,
    });
    expect(meaning(await exported(`${path}/outline`))).toEqual(meaning(aggregator));
    const response = await gateway.send('GET', `${path}/outline`, undefined, { accept: 'text/x-opml' });
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="kept.opml"');
    expect(await response.text()).not.toContain('sync');
  });

  test('survives import, synchronisation and export at another endpoint', async () => {
    const path = await collection('here');
    const there = await collection('there');
    await send('POST', `${path}/outline`, aggregator);
    await gateway.publish('here');
    await incorporate(
      collectionKey('there'),
      await (await gateway.send('GET', '/feeds/here/complete.opml')).text(),
    );
    expect(meaning(await exported(`${there}/outline`))).toEqual(meaning(aggregator));
  });

  test('survives an ordinary update of an outline that was read as JSON', async () => {
    const path = await collection('sent-back');
    await send('POST', `${path}/outline`, aggregator);
    const { items } = (await (await gateway.send('GET', `${path}/items`)).json()) as {
      items: { id: string }[];
    };
    for (const item of items)
      expect((await gateway.send('PUT', `${path}/items/${item.id}`, item)).status).toBe(200);
    expect(meaning(await exported(`${path}/outline`))).toEqual(meaning(aggregator));
  });
});

describe('an import', () => {
  test('adds outlines after what is there, below the root or in an outline', async () => {
    const path = await collection('added');
    await gateway.send('POST', `${path}/items`, { id: 'folder', attributes: { text: 'folder' } });
    await send('POST', `${path}/outline`, document(feed('a'), feed('b')));
    await send('POST', `${path}/outline?parent=folder`, document(feed('c')));
    await send('POST', `${path}/outline?parent=folder`, document(feed('d')));
    expect(meaning(await exported(`${path}/outline`))).toEqual(
      meaning(document(`<outline text="folder">${feed('c')}${feed('d')}</outline>`, feed('a'), feed('b'))),
    );
  });

  test('in step with a document changes what differs, and a second time nothing', async () => {
    const path = await collection('in-step');
    await send(
      'PUT',
      `${path}/outline`,
      document(`<outline text="one">${feed('a')}${feed('b')}</outline>`, feed('c'), feed('d')),
    );
    const next = document(
      feed('d'),
      `<outline text="one">${feed('b')}${feed('e')}</outline>`,
      '<outline type="rss" text="renamed" xmlUrl="http://c.example/feed"/>',
    );
    const counts = await send('PUT', `${path}/outline`, next);
    expect(counts).toMatchObject({ created: 1, updated: 1, deleted: 1 });
    expect(meaning(await exported(`${path}/outline`))).toEqual(meaning(next));
    expect(await send('PUT', `${path}/outline`, next)).toEqual({
      created: 0,
      updated: 0,
      moved: 0,
      deleted: 0,
      unchanged: 5,
    });
  });

  test('requests its publication', async () => {
    const path = await collection('announced');
    await send('POST', `${path}/outline`, document(feed('a')));
    expect(await gateway.store.items.pending(collectionKey('announced'), 10)).toHaveLength(1);
  });

  test.each([
    ['that is no XML', 'text', 422, 'invalid-xml'],
    ['that is no OPML', '<rss version="2.0"><channel/></rss>', 422, 'invalid-xml'],
    ['that is cut off', aggregator.slice(0, -60), 422, 'invalid-xml'],
  ])(
    'of a document %s is refused, with the place, and nothing is stored',
    async (_what, xml, status, rule) => {
      const path = '/v1/collections/refusing';
      await gateway.send('PUT', path, { format: 'opml' });
      for (const method of ['POST', 'PUT']) {
        expect(await problemIn(await gateway.send(method, `${path}/outline`, xml, opmlType))).toMatchObject({
          status,
          rule,
          violations: [{ line: expect.any(Number) }],
        });
      }
      expect(await gateway.store.items.list(collectionKey('refusing'), { limit: 1 })).toEqual([]);
    },
  );

  test('of JSON, and into an outline that there is not, is refused', async () => {
    const path = await collection('unfit');
    expect(await problemIn(await gateway.send('POST', `${path}/outline`, { outlines: [] }))).toMatchObject({
      status: 415,
      rule: 'unsupported-media-type',
    });
    expect(await problemIn(await gateway.send('POST', `${path}/outline`))).toMatchObject({ status: 415 });
    expect(
      await problemIn(
        await gateway.send('POST', `${path}/outline?parent=nobody`, document(feed('a')), opmlType),
      ),
    ).toMatchObject({ status: 404, rule: 'item-not-found' });
  });
});

describe('a subscription list', () => {
  test('is subscribed to, each feed once and in whatever folder, and what is there stays', async () => {
    const path = await collection('reading', {});
    await gateway.send('PUT', `${path}/subscriptions/mine`, {
      url: 'http://apples.example/feed',
      interval: { minimum: 7, maximum: 70 },
    });
    const list = aggregator.replace(
      '</body>',
      `${feed('x')}${feed('x')}<outline text="Broken" xmlUrl="not an address"/>` +
        '<outline text="File" xmlUrl="file:///etc/passwd"/></body>',
    );
    expect(await send('POST', `${path}/subscriptions`, list)).toEqual({
      created: 3,
      existing: 2,
      refused: [
        { xmlUrl: 'not an address', text: 'Broken', message: expect.any(String) },
        { xmlUrl: 'file:///etc/passwd', text: 'File', message: expect.any(String) },
      ],
    });
    const subscriptions = await gateway.store.subscriptions.list(collectionKey('reading'), { limit: 100 });
    expect(subscriptions.map(({ url }) => url).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'http://apples.example/again',
      'http://apples.example/feed',
      'http://bread.example/feed?a=1&b=2',
      'http://x.example/feed',
    ]);
    expect(subscriptions.find(({ id }) => id === 'mine')?.interval).toEqual({ minimum: 7, maximum: 70 });
  });

  test('lists the subscriptions of a collection of any protocol, for another to subscribe to', async () => {
    for (const [name, body] of [
      ['list-feedsync', {}],
      ['list-sse', { format: 'opml' }],
    ] as const) {
      const path = await collection(name, { ...body, title: 'Read & kept' });
      await send('POST', `${path}/subscriptions`, aggregator);
      const response = await gateway.send('GET', `${path}/subscriptions`, undefined, {
        accept: 'text/x-opml',
      });
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="${name}-subscriptions.opml"`,
      );
      const list = await response.text();
      expect(finish(readOutlineDocument(list)).title).toBe('Read & kept');
      const url = 'http://apples.example/feed';
      expect(list).toContain(`<outline type="rss" text="${url}" title="${url}" xmlUrl="${url}"`);
      const other = await collection(`${name}-other`);
      expect(await send('POST', `${other}/subscriptions`, list)).toEqual({
        created: 3,
        existing: 0,
        refused: [],
      });
    }
  });

  test('names a feed by its title once that is known', async () => {
    const path = await collection('titled', {});
    await gateway.send('PUT', `${path}/subscriptions/bread`, { url: 'http://bread.example/' });
    const at = new Date();
    await gateway.store.subscriptions.lease(collectionKey('titled'), subscriptionId('bread'), 'read', 60_000);
    await gateway.store.subscriptions.complete(collectionKey('titled'), subscriptionId('bread'), 'read', {
      report: { at, outcome: 'fetched' },
      feed: { title: 'Bread & butter', markup: [], aggregated: [] },
      nextFetchAt: new Date(at.getTime() + 3_600_000),
      nextFetchReason: 'a test',
    });
    expect(await exported(`${path}/subscriptions`)).toContain(
      'text="Bread &amp; butter" title="Bread &amp; butter" xmlUrl="http://bread.example/"',
    );
  });

  test('of no collection is refused', async () => {
    expect(
      await problemIn(
        await gateway.send('POST', '/v1/collections/nowhere/subscriptions', aggregator, opmlType),
      ),
    ).toMatchObject({ status: 404, rule: 'collection-not-found' });
  });
});

/** Takes a feed into a collection as fetcher and merger do. */
async function incorporate(key: CollectionKey, xml: string): Promise<void> {
  const { store, url } = gateway;
  const there = await store.collections.find(key);
  if (there === undefined || isFeedTree(there))
    throw new Error(`no collection ${key} of items with versions`);
  const fragments = fragmentsOf(xml, sseDialect);
  const ports = { store, now: () => new Date(), publicUrl: url };
  expect(
    await mergeFragments(ports, there, {
      version: 1,
      collection: key,
      subscription: subscriptionId('peer'),
      manifest: 'one',
      batch: 0,
      fragments,
    }),
  ).toMatchObject({ rejected: 0 });
  await arrangeCollection(ports, there);
}
