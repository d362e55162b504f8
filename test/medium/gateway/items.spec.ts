import { beforeAll, describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { collectionKey, subscriptionId } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

interface ItemAnswer {
  readonly id: string;
  readonly title?: string;
  readonly content?: string;
  readonly payload?: string;
  readonly deleted: boolean;
  readonly revision: number;
  readonly sync: {
    readonly updates: number;
    readonly noconflicts?: boolean;
    readonly history: readonly { sequence: number; when?: string; by?: string }[];
  };
  readonly conflicts: readonly ItemAnswer[];
}

const items = '/v1/collections/notes/items';

const gateway = useGateway();
beforeAll(async () => {
  await gateway.send('PUT', '/v1/collections/notes', { title: 'Notes', endpoint: 'here' });
  await gateway.send('PUT', '/v1/collections/rss-notes', { format: 'rss' });
});

async function create(item: object): Promise<ItemAnswer> {
  const response = await gateway.send('POST', items, item);
  expect(response.status).toBe(201);
  return (await response.json()) as ItemAnswer;
}

async function read(id: string): Promise<ItemAnswer> {
  return (await (await gateway.send('GET', `${items}/${encodeURIComponent(id)}`)).json()) as ItemAnswer;
}

function expectWellFormed(xml: string): void {
  new SaxesParser({ xmlns: true }).write(xml).close();
}

const entry =
  '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:m="urn:money"><title>Bread &amp; butter</title>' +
  '<content type="text">Fresh</content><id>urn:x</id><updated>2020-01-01T00:00:00Z</updated>' +
  '<m:price m:currency="EUR">2</m:price></entry>';

/** Merges another endpoint's edit into an item, which makes a conflict if ours is not known there. */
async function conflictingEdit(id: string, title: string, by = 'there'): Promise<void> {
  const fragment =
    '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">' +
    `<title>${title}</title><sx:sync id="${id}" updates="2">` +
    `<sx:history sequence="2" when="2001-01-01T00:00:00Z" by="${by}"/>` +
    `<sx:history sequence="1" when="2000-01-01T00:00:00Z" by="${by}"/></sx:sync></entry>`;
  await gateway.store.deadLetters.add([
    {
      id: `notes.${id}`,
      collection: collectionKey('notes'),
      subscription: subscriptionId('there'),
      kind: 'item',
      fragment: { xml: fragment, line: 1, column: 1, id },
      violations: [],
      at: new Date(),
    },
  ]);
  expect((await gateway.send('POST', `/v1/dead-letters/notes.${id}/retry`)).status).toBe(204);
}

describe('an item from JSON', () => {
  test('is created under an id of ours, with one update by the collection', async () => {
    const response = await gateway.send('POST', items, {
      title: 'Milk',
      content: 'Two litres',
      categories: ['food'],
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('etag')).toBe('"1"');
    const item = (await response.json()) as ItemAnswer;
    expect(item).toMatchObject({
      title: 'Milk',
      content: 'Two litres',
      categories: ['food'],
      deleted: false,
      conflicts: [],
      revision: 1,
    });
    expect(item.id).toMatch(/^here\.[0-9a-f]{32}$/);
    expect(item.sync).toEqual({
      updates: 1,
      history: [
        { sequence: 1, by: 'here', when: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
      ],
    });
    expect(response.headers.get('location')).toBe(`${gateway.url}${items}/${encodeURIComponent(item.id)}`);
    expect(await read(item.id)).toEqual(item);
  });

  test('takes the id, noconflicts and deleted of its creator', async () => {
    expect(
      await create({ id: 'urn-like:a$b,c', title: 'Mine', noconflicts: true, deleted: true }),
    ).toMatchObject({ id: 'urn-like:a$b,c', deleted: true, sync: { noconflicts: true } });
    expect((await read('urn-like:a$b,c')).title).toBe('Mine');
  });

  test('is refused if its id is taken', async () => {
    await create({ id: 'taken', title: 'First' });
    expect(
      await problemIn(await gateway.send('POST', items, { id: 'taken', title: 'Second' })),
    ).toMatchObject({ status: 409, rule: 'item-exists' });
  });

  test.each([
    ['an id with a space', { id: 'no spaces' }, 422, 'invalid-edit'],
    ['an unknown property', { titel: 'x' }, 400, 'invalid-input'],
    ['a value of another type', { title: 7, categories: 'food' }, 400, 'invalid-input'],
    ['ill-formed XML in its payload', { payload: '<a><b></a>' }, 422, 'invalid-xml'],
    ['a character that XML has not', { title: 'null \u0000' }, 422, 'invalid-xml'],
  ])('is refused with %s', async (_what, body, status, rule) => {
    expect(await problemIn(await gateway.send('POST', items, body))).toMatchObject({ status, rule });
  });

  test('is refused without a body', async () => {
    expect(await problemIn(await gateway.send('POST', items))).toMatchObject({
      status: 400,
      errors: [{ path: 'body' }],
    });
  });
});

describe('an item from XML', () => {
  test('is created from an Atom entry as RFC 5023 says, and returned as one', async () => {
    const response = await gateway.send('POST', items, entry, {
      'content-type': 'application/atom+xml;type=entry',
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toContain('application/atom+xml');
    expect(response.headers.get('content-location')).toBe(response.headers.get('location'));
    const xml = await response.text();
    expectWellFormed(xml);
    expect(xml).toContain('by="here"');
    const item = (await (await fetch(response.headers.get('location') ?? '')).json()) as ItemAnswer;
    expect(item).toMatchObject({ title: 'Bread & butter', content: 'Fresh', sync: { updates: 1 } });
    expect(item.payload).toContain('currency="EUR"');
  });

  test('is read back as an entry that can be put back', async () => {
    const { id } = await create({ title: 'Both ways', payload: '<m:price xmlns:m="urn:money">3</m:price>' });
    const response = await gateway.send('GET', `${items}/${id}`, undefined, {
      accept: 'application/atom+xml',
    });
    expect(response.headers.get('vary')).toContain('Accept');
    const xml = await response.text();
    expectWellFormed(xml);
    const updated = await gateway.send('PUT', `${items}/${id}`, xml, {
      'content-type': 'application/atom+xml',
      accept: 'application/json',
    });
    expect(await updated.json()).toMatchObject({ title: 'Both ways', sync: { updates: 2 } });
    expect((await read(id)).payload).toMatch(/<m:price[^>]*>3<\/m:price>/);
  });

  test('of the other format is accepted, and returned in both', async () => {
    for (const [collection, type, xml] of [
      [
        'notes',
        'rss',
        '<item><title>Eggs</title><description>Six &amp;lt;b&amp;gt;brown&amp;lt;/b&amp;gt;</description>' +
          '</item>',
      ],
      ['rss-notes', 'atom', entry],
    ] as const) {
      const response = await gateway.send('POST', `/v1/collections/${collection}/items`, xml, {
        'content-type': `application/${type}+xml`,
      });
      expect(response.status).toBe(201);
      expect(response.headers.get('content-type')).toContain(`application/${type}+xml`);
      const url = response.headers.get('location') ?? '';
      const title = type === 'rss' ? 'Eggs' : 'Bread & butter';
      for (const [accept, root] of [
        ['application/atom+xml', '<entry'],
        ['application/rss+xml', '<item'],
        ['application/xml', collection === 'notes' ? '<entry' : '<item'],
      ] as const) {
        const document = await (await fetch(url, { headers: { accept } })).text();
        expectWellFormed(document);
        expect(document).toContain(root);
        const updated = await fetch(url, {
          method: 'PUT',
          headers: { 'content-type': accept, accept: 'application/json' },
          body: document,
        });
        expect(await updated.json()).toMatchObject({ title });
      }
      expect(((await (await fetch(url)).json()) as ItemAnswer).sync.updates).toBe(4);
    }
  });

  test('is created from an RSS item in a collection of RSS', async () => {
    const response = await gateway.send(
      'POST',
      '/v1/collections/rss-notes/items',
      '<item><title>Eggs</title></item>',
      { 'content-type': 'application/rss+xml', accept: 'application/json' },
    );
    expect(await response.json()).toMatchObject({ title: 'Eggs', sync: { updates: 1 } });
  });

  test.each([
    ['a truncated entry', '<entry xmlns="http://www.w3.org/2005/Atom"><title>', 'invalid-xml'],
    [
      'an entity of its own',
      '<!DOCTYPE entry [<!ENTITY e "x">]><entry xmlns="http://www.w3.org/2005/Atom"><title>&e;</title>' +
        '</entry>',
      'invalid-xml',
    ],
    ['neither an entry nor an RSS item', '<note>Eggs</note>', 'invalid-xml'],
  ])('is refused where it is %s', async (_what, xml, rule) => {
    const problem = await problemIn(
      await gateway.send('POST', items, xml, { 'content-type': 'application/atom+xml' }),
    );
    expect(problem).toMatchObject({ status: 422, rule });
    if (rule === 'invalid-xml')
      expect(problem.violations).toEqual([expect.objectContaining({ rule: expect.any(String), line: 1 })]);
  });

  test('is refused if its bytes are not UTF-8', async () => {
    const response = await fetch(gateway.url + items, {
      method: 'POST',
      headers: { 'content-type': 'application/atom+xml' },
      body: Buffer.from([0x3c, 0x61, 0xff, 0x3e]),
    });
    expect(await problemIn(response)).toMatchObject({ status: 422, rule: 'invalid-xml' });
  });

  test('cannot be had as an image', async () => {
    const { id } = await create({ title: 'Not a picture' });
    expect(
      await problemIn(await gateway.send('GET', `${items}/${id}`, undefined, { accept: 'image/png' })),
    ).toMatchObject({ status: 406 });
  });
});

describe('an edit', () => {
  test('of the stated revision is made, of a former one refused', async () => {
    const { id } = await create({ title: 'One' });
    const second = await gateway.send('PUT', `${items}/${id}`, { title: 'Two' }, { 'if-match': '"1"' });
    expect([second.status, second.headers.get('etag')]).toEqual([200, '"2"']);
    for (const [method, path, body] of [
      ['PUT', '', { title: 'Three' }],
      ['DELETE', '', undefined],
      ['POST', '/resolve', { keep: 'winner' }],
    ] as const) {
      const problem = await problemIn(
        await gateway.send(method, `${items}/${id}${path}`, body, { 'if-match': '"1"' }),
      );
      expect(problem).toMatchObject({ status: 412, rule: 'revision-mismatch' });
    }
    expect(await read(id)).toMatchObject({ title: 'Two', sync: { updates: 2 } });
  });

  test('for any revision is made to what there is', async () => {
    const { id } = await create({ title: 'One' });
    await gateway.send('PUT', `${items}/${id}`, { title: 'Two' });
    expect(
      (await gateway.send('PUT', `${items}/${id}`, { title: 'Three' }, { 'if-match': '*' })).status,
    ).toBe(200);
    expect(await read(id)).toMatchObject({
      title: 'Three',
      sync: { updates: 3, history: [{ sequence: 3 }, { sequence: 2 }, { sequence: 1 }] },
    });
  });

  test.each(['1', '"1', 'W/1', '"1", "2"'])('with If-Match: %s is refused', async (ifMatch) => {
    const { id } = await create({ title: 'One' });
    expect(
      await problemIn(await gateway.send('PUT', `${items}/${id}`, { title: 'Two' }, { 'if-match': ifMatch })),
    ).toMatchObject({ status: 400, rule: 'invalid-if-match' });
  });

  test.each(['W/"1"', '"other"'])('with a tag that matches nothing, %s, is refused', async (ifMatch) => {
    const { id } = await create({ title: 'One' });
    expect((await gateway.send('DELETE', `${items}/${id}`, undefined, { 'if-match': ifMatch })).status).toBe(
      412,
    );
  });

  test('may send back what was read', async () => {
    const { id } = await create({
      title: 'Same',
      content: '<b>bold</b>',
      contentType: 'html',
      payload: '<author><name>Ray</name></author>',
    });
    const item = await read(id);
    const response = await gateway.send('PUT', `${items}/${id}`, item);
    expect(await response.json()).toMatchObject({
      title: 'Same',
      content: '<b>bold</b>',
      contentType: 'html',
      payload: item.payload,
      sync: { updates: 2 },
    });
  });

  test.each([
    [{ id: 'other', title: 'x' }, 'never changes'],
    [{ deleted: true }, 'DELETE deletes it'],
  ])('with %j is refused', async (body, detail) => {
    const { id } = await create({ title: 'One' });
    expect(await problemIn(await gateway.send('PUT', `${items}/${id}`, body))).toMatchObject({
      status: 422,
      detail: expect.stringContaining(detail),
    });
  });

  test.each([
    ['PUT', '', { title: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/undelete', undefined],
    ['POST', '/resolve', { keep: 'winner' }],
    ['GET', '', undefined],
  ])('%s%s of no item is refused', async (method, path, body) => {
    expect(await problemIn(await gateway.send(method, `${items}/nobody${path}`, body))).toMatchObject({
      status: 404,
      rule: 'item-not-found',
    });
  });

  test('in no collection is refused', async () => {
    expect(
      await problemIn(await gateway.send('POST', '/v1/collections/nowhere/items', { title: 'x' })),
    ).toMatchObject({ status: 404, rule: 'collection-not-found' });
  });

  test('is published as it is made', async () => {
    const { id } = await create({ title: 'Published' });
    const events = await gateway.store.changes.read(collectionKey('notes'), 0, 10_000);
    expect(events.at(-1)?.subject).toBe(id);
    expect(await gateway.store.items.pending(collectionKey('notes'), 1000)).toEqual([]);
  });
});

describe('what a creator decides', () => {
  test('noconflicts stays with every update, and stays absent if it was', async () => {
    for (const noconflicts of [true, false, undefined]) {
      const { id } = await create({ title: 'One', noconflicts });
      await gateway.send('PUT', `${items}/${id}`, { title: 'Two' });
      expect((await read(id)).sync.noconflicts).toBe(noconflicts);
    }
  });

  test('an item that is a tombstone from its birth is undeleted', async () => {
    const { id } = await create({ title: 'Unborn', deleted: true });
    expect(await (await gateway.send('POST', `${items}/${id}/undelete`)).json()).toMatchObject({
      title: 'Unborn',
      deleted: false,
      sync: { updates: 2 },
    });
  });
});

describe('a deleted item', () => {
  test('comes back at the stated revision, and not at a former one', async () => {
    const { id } = await create({ title: 'Twice' });
    await gateway.send('DELETE', `${items}/${id}`);
    for (const body of [undefined, { title: 'New' }]) {
      const refused = await gateway.send('POST', `${items}/${id}/undelete`, body, { 'if-match': '"1"' });
      expect(await problemIn(refused)).toMatchObject({ status: 412, rule: 'revision-mismatch' });
    }
    expect(await read(id)).toMatchObject({ deleted: true, revision: 2 });
    const back = await gateway.send('POST', `${items}/${id}/undelete`, undefined, { 'if-match': '"2"' });
    expect([back.status, back.headers.get('etag')]).toEqual([200, '"3"']);
  });

  test('stays as a tombstone, and comes back with its content', async () => {
    const { id } = await create({ title: 'Phoenix' });
    const deleted = await gateway.send('DELETE', `${items}/${id}`);
    expect(await deleted.json()).toMatchObject({ deleted: true, sync: { updates: 2 } });
    expect(await problemIn(await gateway.send('PUT', `${items}/${id}`, { title: 'x' }))).toMatchObject({
      status: 409,
      rule: 'item-state',
    });
    const back = await gateway.send('POST', `${items}/${id}/undelete`);
    expect(back.status).toBe(200);
    expect(await back.json()).toMatchObject({ title: 'Phoenix', deleted: false, sync: { updates: 3 } });
    expect(await problemIn(await gateway.send('POST', `${items}/${id}/undelete`))).toMatchObject({
      status: 409,
      rule: 'item-state',
    });
  });

  test('comes back with new content', async () => {
    const { id } = await create({ title: 'Old' });
    await gateway.send('DELETE', `${items}/${id}`);
    expect(
      await (await gateway.send('POST', `${items}/${id}/undelete`, { title: 'New' })).json(),
    ).toMatchObject({ title: 'New', deleted: false });
  });
});

describe('a deletion', () => {
  test('keeps the data, removes it, or does as the collection is set', async () => {
    const titleAfter = async (collection: string, query: string): Promise<string | undefined> => {
      const created = (await (
        await gateway.send('POST', `/v1/collections/${collection}/items`, { title: 'Secret' })
      ).json()) as ItemAnswer;
      const deleted = (await (
        await gateway.send('DELETE', `/v1/collections/${collection}/items/${created.id}${query}`)
      ).json()) as ItemAnswer;
      expect(deleted).toMatchObject({
        id: created.id,
        deleted: true,
        sync: { updates: 2, history: [{ sequence: 2 }, { sequence: 1 }] },
      });
      return deleted.title;
    };
    await gateway.send('PUT', '/v1/collections/forgetful', { settings: { removeDeletedData: true } });
    expect(await titleAfter('notes', '')).toBe('Secret');
    expect(await titleAfter('notes', '?data=keep')).toBe('Secret');
    expect(await titleAfter('notes', '?data=remove')).toBeUndefined();
    expect(await titleAfter('forgetful', '')).toBeUndefined();
    expect(await titleAfter('forgetful', '?data=keep')).toBe('Secret');
  });

  test('with its data can be undone only with new content', async () => {
    const { id } = await create({ title: 'Gone' });
    await gateway.send('DELETE', `${items}/${id}?data=remove`);
    expect(await problemIn(await gateway.send('POST', `${items}/${id}/undelete`))).toMatchObject({
      status: 422,
      rule: 'invalid-edit',
    });
    expect(
      await (await gateway.send('POST', `${items}/${id}/undelete`, { title: 'Back' })).json(),
    ).toMatchObject({ title: 'Back', deleted: false });
  });

  test('that says something else of the data is refused', async () => {
    const { id } = await create({ title: 'One' });
    expect(await problemIn(await gateway.send('DELETE', `${items}/${id}?data=burn`))).toMatchObject({
      status: 400,
      errors: [{ path: 'query.data' }],
    });
  });
});

describe('an item that was read before', () => {
  test('is not sent again while it is the same', async () => {
    const { id } = await create({ title: 'Still' });
    const unchanged = await gateway.send('GET', `${items}/${id}`, undefined, { 'if-none-match': '"7", "1"' });
    expect([unchanged.status, unchanged.headers.get('etag'), await unchanged.text()]).toEqual([
      304,
      '"1"',
      '',
    ]);
    await gateway.send('PUT', `${items}/${id}`, { title: 'Moved' });
    expect((await gateway.send('GET', `${items}/${id}`, undefined, { 'if-none-match': '"1"' })).status).toBe(
      200,
    );
  });
});

describe('conflicts', () => {
  test('are listed, and resolved with the winner', async () => {
    const { id } = await create({ id: 'conflict-1', title: 'Ours' });
    await gateway.send('PUT', `${items}/${id}`, { title: 'Ours, later' });
    await conflictingEdit(id, 'Theirs');
    const list = (await (await gateway.send('GET', '/v1/collections/notes/conflicts')).json()) as {
      items: ItemAnswer[];
    };
    expect(list.items.find((item) => item.id === id)).toMatchObject({
      title: 'Ours, later',
      conflicts: [{ id, title: 'Theirs', sync: { updates: 2 } }],
    });
    const { revision } = await read(id);
    const resolved = await gateway.send(
      'POST',
      `${items}/${id}/resolve`,
      { keep: 'winner' },
      { 'if-match': `"${revision}"` },
    );
    expect(await resolved.json()).toMatchObject({
      title: 'Ours, later',
      conflicts: [],
      sync: { updates: 3 },
    });
    expect((await read(id)).sync.history.map(({ by }) => by)).toContain('there');
  });

  test('are resolved with one of them, or with other data', async () => {
    for (const [id, resolution, title] of [
      ['conflict-2', { keep: { conflict: 0 } }, 'Theirs'],
      ['conflict-3', { keep: 'winner', data: { title: 'Agreed' } }, 'Agreed'],
    ] as const) {
      await create({ id, title: 'Ours' });
      await gateway.send('PUT', `${items}/${id}`, { title: 'Ours, later' });
      await conflictingEdit(id, 'Theirs');
      expect(await (await gateway.send('POST', `${items}/${id}/resolve`, resolution)).json()).toMatchObject({
        title,
        conflicts: [],
      });
    }
  });

  test('are resolved some now and others later', async () => {
    const { id } = await create({ id: 'conflict-4', title: 'Ours' });
    await gateway.send('PUT', `${items}/${id}`, { title: 'Ours, later' });
    for (const by of ['north', 'south', 'west']) await conflictingEdit(id, by, by);
    const titles = async (): Promise<(string | undefined)[]> =>
      (await read(id)).conflicts.map(({ title }) => title);
    const [first, second, third] = await titles();
    expect(new Set([first, second, third])).toEqual(new Set(['north', 'south', 'west']));
    await gateway.send('POST', `${items}/${id}/resolve`, { keep: 'winner', conflicts: [1] });
    expect(await titles()).toEqual([first, third]);
    const partly = await gateway.send('POST', `${items}/${id}/resolve`, {
      keep: { conflict: 1 },
      conflicts: [],
    });
    expect(await partly.json()).toMatchObject({ title: third, sync: { updates: 4 } });
    expect(await titles()).toEqual([first]);
    const last = await gateway.send('POST', `${items}/${id}/resolve`, {
      keep: 'winner',
      data: { title: 'Agreed' },
      conflicts: [0],
    });
    expect(await last.json()).toMatchObject({ title: 'Agreed', conflicts: [], sync: { updates: 5 } });
    expect(new Set((await read(id)).sync.history.map(({ by }) => by))).toEqual(
      new Set(['here', 'north', 'south', 'west']),
    );
  });

  test('with a place that does not exist are left as they are', async () => {
    const { id } = await create({ id: 'conflict-5', title: 'Ours' });
    await gateway.send('PUT', `${items}/${id}`, { title: 'Ours, later' });
    await conflictingEdit(id, 'Theirs');
    const before = await read(id);
    for (const resolution of [
      { keep: { conflict: 1 } },
      { keep: 'winner', conflicts: [1] },
      { keep: 'winner', conflicts: [] },
    ]) {
      expect(await problemIn(await gateway.send('POST', `${items}/${id}/resolve`, resolution))).toMatchObject(
        { status: 422, rule: 'invalid-resolution' },
      );
    }
    expect(await read(id)).toEqual(before);
  });

  test.each([
    [{ keep: { conflict: 3 } }, 422, 'invalid-resolution'],
    [{ keep: 'winner' }, 422, 'invalid-resolution'],
    [{ keep: 'loser' }, 400, 'invalid-input'],
    [{}, 400, 'invalid-input'],
  ])('where there are none cannot be resolved with %j', async (resolution, status, rule) => {
    const { id } = await create({ title: 'Peaceful' });
    expect(await problemIn(await gateway.send('POST', `${items}/${id}/resolve`, resolution))).toMatchObject({
      status,
      rule,
    });
  });
});

describe('the list of items', () => {
  test('comes in pages by id, with or without tombstones', async () => {
    await gateway.send('PUT', '/v1/collections/listed');
    for (const id of ['a', 'b', 'c', 'd'])
      await gateway.send('POST', '/v1/collections/listed/items', { id, title: id });
    await gateway.send('DELETE', '/v1/collections/listed/items/b');
    const idsOf = async (query: string): Promise<string[]> => {
      const { items } = (await (
        await gateway.send('GET', `/v1/collections/listed/items?${query}`)
      ).json()) as { items: ItemAnswer[] };
      return items.map(({ id }) => id);
    };
    expect(await idsOf('')).toEqual(['a', 'b', 'c', 'd']);
    expect(await idsOf('deleted=false')).toEqual(['a', 'c', 'd']);
    const first = (await (
      await gateway.send('GET', '/v1/collections/listed/items?deleted=false&limit=2')
    ).json()) as { next: string };
    expect(await idsOf(`deleted=false&cursor=${first.next}`)).toEqual(['d']);
  });

  test('of no collection is refused', async () => {
    for (const list of ['items', 'conflicts', 'subscriptions', 'changes']) {
      expect(await problemIn(await gateway.send('GET', `/v1/collections/nowhere/${list}`))).toMatchObject({
        status: 404,
        rule: 'collection-not-found',
      });
    }
  });
});
