import { describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { collectionKey, subscriptionId } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';
import { until } from '../../support/until.ts';
import { sendCommand } from './send-command.ts';

interface OutlineAnswer {
  readonly id: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly payload?: string;
  readonly parent?: string | null;
  readonly position?: number;
  readonly deleted: boolean;
  readonly revision: number;
  readonly sync: {
    readonly version: number;
    readonly conflict: boolean;
    readonly history: readonly { when?: string; by?: string }[];
  };
  readonly conflicts: readonly unknown[];
}

interface Branch {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children?: readonly Branch[];
}

const gateway = useGateway();

/** The address of the items of a fresh collection of outlines. */
async function outlines(name: string, collection: object = { format: 'opml' }): Promise<string> {
  expect(
    (await gateway.send('PUT', `/v1/collections/${name}`, { endpoint: 'here', ...collection })).status,
  ).toBe(201);
  return `/v1/collections/${name}/items`;
}

async function answer(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<OutlineAnswer> {
  const response = await gateway.send(method, path, body, headers);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as OutlineAnswer;
}

const outline = (text: string, place: object = {}): object => ({ id: text, attributes: { text }, ...place });

/** The tree as nested texts: `a(b c) d`. */
async function tree(name: string, query = ''): Promise<string> {
  const shownBelow = (children: readonly Branch[] | undefined): string => {
    if (children === undefined) return '…';
    return children.length === 0 ? '' : `(${shown(children)})`;
  };
  const shown = (branches: readonly Branch[]): string =>
    branches.map(({ attributes, children }) => `${attributes['text']}${shownBelow(children)}`).join(' ');
  const { children } = (await (
    await gateway.send('GET', `/v1/collections/${name}/outline${query}`)
  ).json()) as Branch;
  return shown(children ?? []);
}

/** Makes the outlines a, b (with b1, b2, b3) and c, in this order. */
async function sample(name: string): Promise<string> {
  const items = await outlines(name);
  for (const text of ['a', 'b', 'c']) await answer('POST', items, outline(text));
  for (const text of ['b1', 'b2', 'b3']) await answer('POST', items, outline(text, { parent: 'b' }));
  return items;
}

describe('an outline from JSON', () => {
  test('is created last below the root, with its attributes, foreign ones and children too', async () => {
    const items = await outlines('created');
    await answer('POST', items, outline('first'));
    const attributes = { text: 'News', xmlUrl: 'http://example.org/feed', '{urn:reader}unread': '3' };
    const response = await gateway.send('POST', items, {
      attributes,
      payload: '<r:note xmlns:r="urn:reader">kept</r:note>',
    });
    expect(response.status).toBe(201);
    const created = (await response.json()) as OutlineAnswer;
    expect(created).toMatchObject({
      attributes,
      parent: null,
      position: 1,
      deleted: false,
      conflicts: [],
      revision: 1,
      sync: { version: 1, conflict: false, history: [{ by: 'here' }] },
    });
    expect(created.payload).toContain('kept');
    expect(created.id).toMatch(/^here\.[0-9a-f]{32}$/);
    expect(await answer('GET', `${items}/${created.id}`)).toEqual(created);
  });

  test('is put where requested: in another outline, and at an index among the outlines there', async () => {
    const items = await sample('placed');
    expect(await answer('POST', items, outline('x', { parent: 'b', position: 1 }))).toMatchObject({
      parent: 'b',
      position: 1,
    });
    expect(await answer('POST', items, outline('y', { position: 0 }))).toMatchObject({
      parent: null,
      position: 0,
    });
    expect(await answer('POST', items, outline('z', { parent: 'x', position: 99 }))).toMatchObject({
      parent: 'x',
      position: 0,
    });
    expect(await tree('placed')).toBe('y a b(b1 x(z) b2 b3) c');
  });

  test.each([
    ['without a text', { attributes: { xmlUrl: 'http://example.org/' } }, 422, 'invalid-xml'],
    ['with a title', { title: 'News', attributes: { text: 'News' } }, 422, 'invalid-xml'],
    ['in an outline that there is not', { attributes: { text: 'x' }, parent: 'nobody' }, 422, 'invalid-edit'],
    ['at a number below 0', { attributes: { text: 'x' }, position: -1 }, 400, 'invalid-input'],
    ['with an attribute that is no text', { attributes: { text: 1 } }, 400, 'invalid-input'],
    ['that is not to have conflicts', { attributes: { text: 'x' }, noconflicts: true }, 422, 'invalid-edit'],
  ])('is refused %s', async (what, body, status, rule) => {
    const items = await outlines(`refused-${what.replaceAll(/[^a-z]/g, '-')}`);
    expect(await problemIn(await gateway.send('POST', items, body))).toMatchObject({ status, rule });
  });
});

describe('an outline', () => {
  test('that was read may be sent back, and keeps its position', async () => {
    const items = await sample('sent-back');
    const read = await answer('GET', `${items}/b2`);
    expect(await answer('PUT', `${items}/b2`, { ...read, attributes: { text: 'B2' } })).toMatchObject({
      attributes: { text: 'B2' },
      parent: 'b',
      position: 1,
      sync: { version: 2 },
    });
    expect(await tree('sent-back')).toBe('a b(b1 B2 b3) c');
  });

  test('is moved by a place alone, which is an update, and takes along what is in it', async () => {
    const items = await sample('moved');
    await answer('POST', items, outline('deep', { parent: 'b2' }));
    expect(await answer('PUT', `${items}/b2`, { parent: null, position: 0 })).toMatchObject({
      attributes: { text: 'b2' },
      parent: null,
      position: 0,
      sync: { version: 2, history: [{ by: 'here' }, { by: 'here' }] },
    });
    expect(await tree('moved')).toBe('b2(deep) a b(b1 b3) c');
    expect(await answer('PUT', `${items}/a`, { parent: 'b' })).toMatchObject({ parent: 'b', position: 2 });
    expect(await answer('PUT', `${items}/b3`, { position: 0 })).toMatchObject({ parent: 'b', position: 0 });
    expect(await tree('moved')).toBe('b2(deep) b(b3 b1 a) c');
  });

  test('is not moved into itself, below itself, or into a deleted one', async () => {
    const items = await sample('knots');
    await answer('DELETE', `${items}/c`);
    for (const [id, parent] of [
      ['b', 'b'],
      ['b', 'b1'],
      ['a', 'c'],
    ]) {
      const problem = await problemIn(await gateway.send('PUT', `${items}/${id}`, { parent }));
      expect([409, 422]).toContain(problem.status);
    }
    expect(await tree('knots')).toBe('a b(b1 b2 b3)');
  });

  test('is moved, deleted and undeleted only at the stated revision', async () => {
    const items = await sample('guarded');
    const expectRefused = async (method: string, path: string, body?: object): Promise<void> => {
      const response = await gateway.send(method, `${items}/${path}`, body, { 'if-match': '"1"' });
      expect(await problemIn(response)).toMatchObject({ status: 412, rule: 'revision-mismatch' });
    };
    await answer('PUT', `${items}/a`, { position: 2 }, { 'if-match': '"1"' });
    await expectRefused('PUT', 'a', { position: 0 });
    expect(await tree('guarded')).toBe('b(b1 b2 b3) c a');
    await answer('PUT', `${items}/b`, { position: 2 }, { 'if-match': '"1"' });
    for (const path of ['b', 'b?children=keep']) await expectRefused('DELETE', path);
    expect(await tree('guarded')).toBe('c a b(b1 b2 b3)');
    await answer('DELETE', `${items}/b`, undefined, { 'if-match': '"2"' });
    await expectRefused('POST', 'b/undelete');
    expect(await tree('guarded')).toBe('c a');
  });

  test('is deleted with all its children, and by itself if that is requested', async () => {
    const items = await sample('deleted');
    await answer('POST', items, outline('deep', { parent: 'b2' }));
    expect(await answer('DELETE', `${items}/b2?children=keep`)).toMatchObject({ id: 'b2', deleted: true });
    expect(await tree('deleted')).toBe('a b(b1 deep b3) c');
    const deleted = await answer('DELETE', `${items}/b`);
    expect(deleted).toMatchObject({ id: 'b', deleted: true, sync: { version: 2 } });
    expect(deleted.position).toBeUndefined();
    expect(await tree('deleted')).toBe('a c');
    for (const id of ['b', 'b1', 'b2', 'b3', 'deep'])
      expect(await answer('GET', `${items}/${id}`)).toMatchObject({ deleted: true, sync: { version: 2 } });
    expect(await answer('POST', `${items}/b/undelete`)).toMatchObject({
      deleted: false,
      position: 1,
      sync: { version: 3 },
    });
  });

  test('is listed with its place, as every outline of the page is', async () => {
    await sample('listed');
    const { items } = (await (await gateway.send('GET', '/v1/collections/listed/items')).json()) as {
      items: OutlineAnswer[];
    };
    expect(items.map(({ id, parent, position }) => [id, parent, position])).toEqual([
      ['a', null, 0],
      ['b', null, 1],
      ['b1', 'b', 0],
      ['b2', 'b', 1],
      ['b3', 'b', 2],
      ['c', null, 2],
    ]);
  });
});

describe('an outline as XML', () => {
  const xml =
    '<outline text="Café &amp; more" r:rank="1" xmlns:r="urn:reader"><r:note>kept</r:note></outline>';

  test('is created, returned as one, and can be put back', async () => {
    const items = await outlines('as-xml');
    const response = await gateway.send('POST', items, xml, { 'content-type': 'text/x-opml' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      201,
      'text/x-opml; charset=utf-8',
    ]);
    const url = response.headers.get('location') ?? '';
    const document = await response.text();
    expectWellFormed(document);
    expect(document).toMatch(/<outline [^>]*text="Café &amp; more"/);
    expect(await (await fetch(url)).json()).toMatchObject({
      attributes: { text: 'Café & more', '{urn:reader}rank': '1' },
    });
    const again = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'text/x-opml', accept: 'application/json' },
      body: document,
    });
    expect(await again.json()).toMatchObject({
      attributes: { text: 'Café & more', '{urn:reader}rank': '1' },
      sync: { version: 2 },
    });
    expect(((await (await fetch(url)).json()) as OutlineAnswer).payload).toMatch(/note[^>]*>kept</);
  });

  test('is refused in a collection of another format, and other formats in one of outlines', async () => {
    const items = await outlines('only-outlines');
    const rss = await outlines('only-rss', { protocol: 'sse' });
    const feedsync = await outlines('only-feedsync', {});
    for (const [path, body] of [
      [items, '<item><title>x</title></item>'],
      [items, '<entry xmlns="http://www.w3.org/2005/Atom"><title>x</title></entry>'],
      [rss, xml],
      [feedsync, xml],
    ] as const) {
      expect(
        await problemIn(await gateway.send('POST', path, body, { 'content-type': 'application/xml' })),
      ).toMatchObject({ status: 422, rule: 'invalid-xml' });
    }
  });
});

describe('items of SSE in RSS', () => {
  test('have no place if the collection has no order', async () => {
    const items = await outlines('plain', { protocol: 'sse' });
    const created = await answer('POST', items, { id: 'one', title: 'One' });
    expect(created).toMatchObject({ title: 'One', sync: { version: 1 } });
    expect([created.parent, created.position]).toEqual([undefined, undefined]);
    expect(await problemIn(await gateway.send('PUT', `${items}/one`, { position: 0 }))).toMatchObject({
      status: 422,
      rule: 'invalid-edit',
    });
    expect(await problemIn(await gateway.send('DELETE', `${items}/one?children=keep`))).toMatchObject({
      status: 400,
      errors: [{ path: 'query.children' }],
    });
  });

  test('have a number and no parent if it has one', async () => {
    const items = await outlines('ranked', { protocol: 'sse', settings: { ordered: true } });
    for (const id of ['one', 'two', 'three']) await answer('POST', items, { id, title: id });
    expect(await answer('PUT', `${items}/three`, { position: 0 })).toMatchObject({
      title: 'three',
      parent: null,
      position: 0,
      sync: { version: 2 },
    });
    expect(await answer('GET', `${items}/two`)).toMatchObject({ position: 2 });
    expect(await problemIn(await gateway.send('PUT', `${items}/two`, { parent: 'one' }))).toMatchObject({
      status: 422,
      rule: 'invalid-edit',
    });
  });

  test('keep as many updates as the collection is set to', async () => {
    const items = await outlines('short', { protocol: 'sse', settings: { updatesKept: 1 } });
    await answer('POST', items, { id: 'one', title: '1' });
    for (const title of ['2', '3', '4']) await answer('PUT', `${items}/one`, { title });
    expect((await answer('GET', `${items}/one`)).sync).toMatchObject({
      version: 4,
      history: [{ by: 'here' }, { by: 'here' }],
    });
  });
});

describe('the tree', () => {
  test('shows as many levels as are requested, and where there are more', async () => {
    const items = await sample('levels');
    await answer('POST', items, outline('deep', { parent: 'b2' }));
    expect(await tree('levels', '?depth=1')).toBe('a b… c');
    expect(await tree('levels', '?depth=2')).toBe('a b(b1 b2… b3) c');
    expect(await tree('levels', '?depth=3')).toBe('a b(b1 b2(deep) b3) c');
    expect(
      await problemIn(await gateway.send('GET', '/v1/collections/levels/outline?depth=0')),
    ).toMatchObject({ status: 400, errors: [{ path: 'query.depth' }] });
  });

  test('of nothing is empty', async () => {
    await outlines('nothing');
    expect(await (await gateway.send('GET', '/v1/collections/nothing/outline')).json()).toEqual({
      collection: 'nothing',
      title: 'nothing',
      children: [],
    });
  });

  test('is only of collections of outlines', async () => {
    await outlines('no-outline', { protocol: 'sse' });
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', '<opml version="1.0"><head/><body/></opml>'],
      ['PUT', '<opml version="1.0"><head/><body/></opml>'],
    ] as const) {
      expect(
        await problemIn(
          await gateway.send(
            method,
            '/v1/collections/no-outline/outline',
            body,
            body === undefined ? {} : { 'content-type': 'text/x-opml' },
          ),
        ),
      ).toMatchObject({ status: 409, rule: 'not-an-outline' });
    }
  });
});

describe('what another endpoint brings', () => {
  const namespaces = 'xmlns:sx="https://www.microsoft.com/schemas/rss/sse"';

  /** Takes in an outline of another endpoint, with its place in the document. */
  async function bring(
    collection: string,
    id: string,
    version: number,
    place: { parent?: string; after: string; before?: string },
  ): Promise<void> {
    const xml =
      `<outline text="${id} of there" ${namespaces}><sx:sync id="${id}" version="${version}">` +
      '<sx:history when="Sat, 01 Jan 2000 00:00:00 GMT" by="there"/></sx:sync></outline>';
    await gateway.store.deadLetters.add([
      {
        id: `${collection}.${id}`,
        collection: collectionKey(collection),
        subscription: subscriptionId('there'),
        kind: 'item',
        fragment: { xml, line: 1, column: 1, id, place },
        violations: [],
        at: new Date(),
      },
    ]);
    expect((await gateway.send('POST', `/v1/dead-letters/${collection}.${id}/retry`)).status).toBe(204);
  }

  test('gets the place that it has in the document, also out of a dead letter', async () => {
    await sample('late');
    await bring('late', 'x', 1, { parent: 'b', after: 'b1', before: 'b2' });
    await bring('late', 'y', 1, { after: '', before: 'a' });
    expect(await tree('late')).toBe('y of there a b(b1 x of there b2 b3) c');
  });

  test('and does not follow ours is a conflict: listed, resolved with one or with other data', async () => {
    for (const [name, resolution, text] of [
      ['keep-winner', { keep: 'winner' }, 'c'],
      ['keep-loser', { keep: { conflict: 0 } }, 'c of there'],
      ['agreed', { keep: 'winner', data: { attributes: { text: 'agreed' } } }, 'agreed'],
    ] as const) {
      const items = await sample(name);
      await bring(name, 'c', 1, { after: 'b' });
      const list = (await (await gateway.send('GET', `/v1/collections/${name}/conflicts`)).json()) as {
        items: OutlineAnswer[];
      };
      expect(list.items).toMatchObject([
        {
          id: 'c',
          attributes: { text: 'c' },
          position: 2,
          sync: { version: 1, conflict: true },
          conflicts: [{ version: 1, by: 'there', attributes: { text: 'c of there' } }],
        },
      ]);
      expect(await answer('POST', `${items}/c/resolve`, resolution)).toMatchObject({
        attributes: { text },
        conflicts: [],
        parent: null,
        position: 2,
        sync: { version: 2, conflict: false },
      });
    }
  });

  test('into an outline that does not exist yet is below the root until that arrives', async () => {
    await sample('early');
    await bring('early', 'child', 1, { parent: 'folder', after: '' });
    expect(await tree('early')).toMatch(/(^| )child of there( |$)/);
    await bring('early', 'folder', 1, { after: 'a', before: 'b' });
    expect(await tree('early')).toBe('a folder of there(child of there) b(b1 b2 b3) c');
  });
});

test('the command edit takes places as the HTTP interface does', async () => {
  await sample('commanded');
  await sendCommand(gateway, 'edit', {
    collection: 'commanded',
    action: 'create',
    id: 'x',
    item: { attributes: { text: 'x' }, parent: 'b', position: 0 },
  });
  await until(async () => (await tree('commanded')) === 'a b(x b1 b2 b3) c');
  await sendCommand(gateway, 'edit', {
    collection: 'commanded',
    action: 'update',
    id: 'c',
    item: { position: 0 },
  });
  await until(async () => (await tree('commanded')) === 'c a b(x b1 b2 b3)');
  await sendCommand(gateway, 'edit', {
    collection: 'commanded',
    action: 'delete',
    id: 'b',
    item: { children: 'keep' },
  });
  await until(async () => (await tree('commanded')) === 'c a x b1 b2 b3');
});

function expectWellFormed(xml: string): void {
  new SaxesParser({ xmlns: true }).write(xml).close();
}
