import { beforeAll, describe, expect, test } from '@jest/globals';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

type Json = Record<string, unknown>;

const patchType = { 'content-type': 'application/merge-patch+json' };

const gateway = useGateway();
beforeAll(async () => {
  await gateway.send('PUT', '/v1/collections/notes', { title: 'Notes' });
  await gateway.send('PUT', '/v1/collections/rss', { format: 'rss' });
  await gateway.send('PUT', '/v1/collections/outlines', { format: 'opml' });
  await gateway.send('PUT', '/v1/collections/tree', { protocol: 'cse' });
});

async function create(collection: string, item: object): Promise<string> {
  const response = await gateway.send('POST', `/v1/collections/${collection}/items`, item);
  expect(response.status).toBe(201);
  return new URL(response.headers.get('location') ?? '').pathname;
}

/** Sends a patch that has to be taken, and returns what the response shows. */
async function patch(path: string, body: object, headers: Record<string, string> = patchType): Promise<Json> {
  const response = await gateway.send('PATCH', path, body, headers);
  expect([response.status, response.ok ? '' : await response.clone().text()]).toEqual([200, '']);
  return (await response.json()) as Json;
}

async function read(path: string): Promise<Json> {
  return (await (await gateway.send('GET', path)).json()) as Json;
}

describe('a patch of an item', () => {
  test('changes what it names, removes what is null, and leaves the rest', async () => {
    const path = await create('notes', {
      title: 'Tea',
      titleType: 'html',
      content: 'Assam',
      link: 'https://example.org/',
      categories: ['a'],
      payload: '<x:y xmlns:x="urn:x"/>',
    });
    const patched = await patch(path, { content: 'Darjeeling', link: null, categories: ['b', 'c'] });
    expect(patched).toMatchObject({
      title: 'Tea',
      titleType: 'html',
      content: 'Darjeeling',
      categories: ['b', 'c'],
      payload: '<x:y xmlns:x="urn:x"/>',
      revision: 2,
      sync: { updates: 2 },
    });
    expect(patched).not.toHaveProperty('link');
    expect(await read(path)).toEqual(patched);
    expect(await patch(path, { titleType: null }, {})).toMatchObject({ title: 'Tea' });
  });

  test('may be what was read, and changes nothing without a change', async () => {
    const path = await create('notes', { title: 'Tea' });
    const before = await read(path);
    const { title: _title, ...rest } = before;
    expect(await patch(path, {})).toEqual(before);
    expect(await patch(path, rest)).toEqual(before);
    expect(await patch(path, { ...before, summary: 'S' })).toMatchObject({
      title: 'Tea',
      summary: 'S',
      revision: 2,
    });
  });

  test.each([
    [
      'notes',
      'application/atom+xml',
      '<entry xmlns="http://www.w3.org/2005/Atom"><title xml:lang="en">T1</title>' +
        '<link rel="alternate" type="text/html" href="http://e.example/1"/>' +
        '<content type="html" xml:base="http://e.example/">&lt;p&gt;x&lt;/p&gt;</content></entry>',
      { title: 'T1', link: 'http://e.example/1', content: '<p>x</p>', contentType: 'html' },
    ],
    [
      'rss',
      'application/rss+xml',
      '<item xmlns:content="http://purl.org/rss/1.0/modules/content/"><title>T1</title>' +
        '<link>http://e.example/1</link><description>Excerpt</description>' +
        '<content:encoded><![CDATA[<p>x</p>]]></content:encoded></item>',
      { title: 'T1', link: 'http://e.example/1', content: '<p>x</p>', summary: 'Excerpt' },
    ],
  ])(
    'of an item of %s as publishers write it replaces its elements',
    async (collection, type, xml, shown) => {
      const created = await gateway.send('POST', `/v1/collections/${collection}/items`, xml, {
        'content-type': type,
      });
      const path = new URL(created.headers.get('location') ?? '').pathname;
      const before = await read(path);
      expect(before).toMatchObject(shown);
      expect(before).not.toHaveProperty('payload');
      expect(await patch(path, { title: 'T1' })).toMatchObject(shown);

      const correction = { title: 'T2', link: 'http://e.example/2', content: '<p>y</p>' };
      const patched = await patch(path, correction);
      expect(patched).toMatchObject({ ...shown, ...correction });
      expect(patched).not.toHaveProperty('payload');
      expect(await patch(path, { content: '<p>z</p>' })).toMatchObject({ content: '<p>z</p>' });
    },
  );

  test('of one value to nothing leaves an item without content', async () => {
    const path = await create('notes', { title: 'Tea' });
    expect(await patch(path, { title: null })).not.toHaveProperty('title');
  });

  test('for a revision is made to this one alone', async () => {
    const path = await create('notes', { title: 'Tea' });
    await patch(path, { title: 'Coffee' }, { ...patchType, 'if-match': '"1"' });
    expect(
      await problemIn(
        await gateway.send('PATCH', path, { title: 'Late' }, { ...patchType, 'if-match': '"1"' }),
      ),
    ).toMatchObject({ status: 412, rule: 'revision-mismatch' });
    expect(
      await problemIn(await gateway.send('PATCH', path, {}, { ...patchType, 'if-match': '"1"' })),
    ).toMatchObject({ status: 412 });
    expect(await read(path)).toMatchObject({ title: 'Coffee', revision: 2 });
  });

  test('and others at the same time all arrive', async () => {
    const path = await create('notes', { title: 'Tea' });
    const values = {
      title: 'T',
      content: 'C',
      summary: 'S',
      link: 'https://example.org/l',
      categories: ['k'],
      rights: 'R',
    };
    await Promise.all(Object.entries(values).map(([name, value]) => patch(path, { [name]: value })));
    expect(await read(path)).toMatchObject({ ...values, revision: 7 });
  });

  test.each([
    ['an unknown key', { titel: 'x' }, 400, 'invalid-input'],
    ['a value of another type', { title: 7 }, 400, 'invalid-input'],
    ['another id', { id: 'other', title: 'x' }, 422, 'invalid-edit'],
    ['a deletion', { deleted: true }, 422, 'invalid-edit'],
    ['no object', ['x'], 400, 'invalid-patch'],
  ])('is refused with %s', async (_what, body, status, rule) => {
    const path = await create('notes', { title: 'Tea' });
    expect(await problemIn(await gateway.send('PATCH', path, body, patchType))).toMatchObject({
      status,
      rule,
    });
    expect(await read(path)).toMatchObject({ title: 'Tea', revision: 1 });
  });

  test('is refused without one, and for one that does not exist', async () => {
    expect(
      (await problemIn(await gateway.send('PATCH', '/v1/collections/notes/items/none', {}, patchType))).rule,
    ).toBe('item-not-found');
    expect(
      (await problemIn(await gateway.send('PATCH', '/v1/collections/none/items/none', {}, patchType))).rule,
    ).toBe('collection-not-found');
    const path = await create('notes', { title: 'Tea' });
    expect((await problemIn(await gateway.send('PATCH', path))).rule).toBe('unsupported-media-type');
  });

  test('that is deleted is refused, and brings it back with "undelete"', async () => {
    const path = await create('notes', { title: 'Tea', content: 'Assam' });
    await gateway.send('DELETE', path);
    expect(await problemIn(await gateway.send('PATCH', path, { title: 'x' }, patchType))).toMatchObject({
      status: 409,
      rule: 'item-state',
    });
    const former = { ...patchType, 'if-match': '"1"' };
    expect(
      await problemIn(await gateway.send('POST', `${path}/undelete`, { content: 'Ceylon' }, former)),
    ).toMatchObject({ status: 412, rule: 'revision-mismatch' });
    const undeleted = await gateway.send('POST', `${path}/undelete`, { content: 'Ceylon' }, patchType);
    expect(await undeleted.json()).toMatchObject({ title: 'Tea', content: 'Ceylon', deleted: false });
    await gateway.send('DELETE', path);
    expect(await (await gateway.send('POST', `${path}/undelete`, {}, patchType)).json()).toMatchObject({
      title: 'Tea',
      content: 'Ceylon',
      deleted: false,
    });
  });

  test('of an outline changes attributes one by one, and its place', async () => {
    const folder = await create('outlines', { attributes: { text: 'Folder' } });
    const path = await create('outlines', {
      attributes: { text: 'News', xmlUrl: 'https://example.org/', type: 'rss' },
    });
    const parent = decodeURIComponent(folder.split('/').at(-1) ?? '');
    expect(await patch(path, { parent })).toMatchObject({
      parent,
      attributes: { text: 'News', xmlUrl: 'https://example.org/' },
    });
    expect((await patch(path, { attributes: { text: 'Old news', type: null } }))['attributes']).toEqual({
      text: 'Old news',
      xmlUrl: 'https://example.org/',
    });
    expect(await patch(path, { parent: null, position: 0 })).toMatchObject({
      parent: null,
      position: 0,
      attributes: { text: 'Old news' },
    });
    expect(
      (await problemIn(await gateway.send('PATCH', path, { attributes: { text: null } }, patchType))).status,
    ).toBe(422);
    expect(await patch(path, {})).toMatchObject({ attributes: { text: 'Old news' } });
  });

  test('of a tree keeps what it does not name', async () => {
    const path = await create('tree', {
      guid: 'story',
      title: 'Story',
      links: [{ url: 'https://example.org/a.jpg', onDemand: true }],
    });
    expect(await patch(path, { content: 'Once' })).toMatchObject({
      title: 'Story',
      content: 'Once',
      links: [{ url: 'https://example.org/a.jpg' }],
      hidden: false,
    });
    expect(await patch(path, { hidden: true })).toMatchObject({
      title: 'Story',
      content: 'Once',
      hidden: true,
    });
    expect(await patch(path, { links: [] })).toMatchObject({ title: 'Story', hidden: true, links: [] });
  });
});

describe('plain text is a type', () => {
  test.each(['notes', 'rss'])(
    'of content in a collection of %s, and shown as the default',
    async (collection) => {
      const path = await create(collection, { title: 'Tea', content: 'a & b', contentType: 'text' });
      expect(await read(path)).toMatchObject({ content: 'a & b' });
      expect(await read(path)).not.toHaveProperty('contentType');
      expect(await patch(path, { content: 'c', contentType: 'text' })).toMatchObject({ content: 'c' });
    },
  );

  test('that takes the place of another one', async () => {
    const path = await create('notes', { title: '<i>Tea</i>', titleType: 'html' });
    expect(await patch(path, { title: 'Tea', titleType: 'text' })).not.toHaveProperty('titleType');
  });
});

test('an item of RSS has a summary, which its Atom form has as well', async () => {
  const path = await create('rss', {
    title: 'Tea',
    content: '<p>Long</p>',
    summary: 'Short',
    rights: 'Ours',
  });
  expect(await read(path)).toMatchObject({ content: '<p>Long</p>', summary: 'Short', rights: 'Ours' });
  const entry = await (await gateway.send('GET', path, undefined, { accept: 'application/atom+xml' })).text();
  expect(entry).toContain('<summary>Short</summary>');
  const alone = await create('rss', { title: 'Tea', summary: 'Short' });
  expect(await read(alone)).toMatchObject({ summary: 'Short' });
  expect(
    await (await gateway.send('GET', alone, undefined, { accept: 'application/rss+xml' })).text(),
  ).toContain('<description>Short</description>');
  expect(await patch(alone, { content: 'Long' })).toMatchObject({ content: 'Long', summary: 'Short' });
});

describe('a patch of a collection', () => {
  test('changes what it names and takes settings away', async () => {
    await gateway.send('PUT', '/v1/collections/patched', {
      title: 'Before',
      settings: {
        windowItems: 50,
        windowAge: 100_000,
        resolution: { policy: 'prefer-endpoint', endpoint: 'a' },
      },
    });
    expect(
      await patch('/v1/collections/patched', {
        title: 'After',
        settings: { windowAge: null, resolution: { endpoint: 'b' } },
      }),
    ).toMatchObject({
      title: 'After',
      settings: { windowItems: 50, resolution: { policy: 'prefer-endpoint', endpoint: 'b' } },
    });
    expect((await read('/v1/collections/patched'))['settings']).not.toHaveProperty('windowAge');
    expect(
      await patch('/v1/collections/patched', {
        settings: { resolution: { policy: 'latest', endpoint: null } },
      }),
    ).toMatchObject({ settings: { resolution: { policy: 'latest' } } });
    const { settings } = await patch('/v1/collections/patched', {
      settings: { sharedElements: { atom: ['title'], rss: ['title'] } },
    });
    expect(settings).toMatchObject({ sharedElements: { atom: ['title'], rss: ['title'] } });
    expect(
      await patch('/v1/collections/patched', { settings: { sharedElements: { rss: null } } }),
    ).toMatchObject({
      settings: { sharedElements: { atom: ['title'], rss: expect.arrayContaining(['description']) } },
    });
  });

  test('creates none', async () => {
    expect(
      await problemIn(await gateway.send('PATCH', '/v1/collections/absent', { title: 'x' }, patchType)),
    ).toMatchObject({ status: 404, rule: 'collection-not-found' });
    expect((await gateway.send('GET', '/v1/collections/absent')).status).toBe(404);
  });

  test('is refused with what no collection has, and with what is fixed', async () => {
    expect(
      (await problemIn(await gateway.send('PATCH', '/v1/collections/notes', { name: 'x' }, patchType))).rule,
    ).toBe('invalid-input');
    expect(
      (await problemIn(await gateway.send('PATCH', '/v1/collections/notes', { title: null }, patchType)))
        .rule,
    ).toBe('invalid-input');
    expect(
      (await problemIn(await gateway.send('PATCH', '/v1/collections/notes', { format: 'rss' }, patchType)))
        .rule,
    ).toBe('collection-fixed');
  });
});

describe('a patch of a subscription', () => {
  const path = '/v1/collections/notes/subscriptions/peer';

  test('changes its address and a part of its interval, and leaves it paused', async () => {
    await gateway.send('PUT', path, {
      url: 'http://127.0.0.1:9/a.atom',
      interval: { minimum: 100, maximum: 1000 },
    });
    await gateway.send('POST', `${path}/pause`);
    expect(await patch(path, { interval: { minimum: 200 } })).toMatchObject({
      url: 'http://127.0.0.1:9/a.atom',
      interval: { minimum: 200, maximum: 1000 },
      status: 'paused',
    });
    expect(await patch(path, { interval: null })).toMatchObject({
      interval: { minimum: 60, maximum: 86_400 },
      status: 'paused',
    });
    expect(await patch(path, { url: 'http://127.0.0.1:9/b.atom' })).toMatchObject({
      url: 'http://127.0.0.1:9/b.atom',
      interval: { minimum: 60, maximum: 86_400 },
    });
  });

  test('is refused with a wrong value, and makes none', async () => {
    expect(
      (await problemIn(await gateway.send('PATCH', path, { interval: { minimum: 100_000 } }, patchType)))
        .rule,
    ).toBe('invalid-input');
    expect((await problemIn(await gateway.send('PATCH', path, { url: null }, patchType))).rule).toBe(
      'invalid-input',
    );
    expect(
      (
        await problemIn(
          await gateway.send(
            'PATCH',
            '/v1/collections/notes/subscriptions/none',
            { url: 'http://127.0.0.1:9/' },
            patchType,
          ),
        )
      ).rule,
    ).toBe('subscription-not-found');
  });
});
