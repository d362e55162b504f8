import { describe, expect, test } from '@jest/globals';
import type { ChangeEvent } from '#contracts';
import { collectionKey } from '#core';
import type { CollectionKey } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const gateway = useGateway();

const opmlType = { 'content-type': 'text/x-opml' };
const document = (...outlines: string[]): string =>
  `<opml version="1.0"><head><title>x</title></head><body>${outlines.join('')}</body></opml>`;
const folder = (text: string, ...inside: string[]): string =>
  `<outline text="${text}">${inside.join('')}</outline>`;
const feed = (name: string): string =>
  `<outline type="rss" text="${name}" xmlUrl="http://${name}.example/feed"/>`;

async function collection(name: string): Promise<string> {
  expect(
    (await gateway.send('PUT', `/v1/collections/${name}`, { format: 'opml', endpoint: 'here' })).status,
  ).toBe(201);
  return `/v1/collections/${name}`;
}

/**
 * Brings a collection in step with a document; returns the counts, and the changes that were published for
 * it.
 */
async function replace(key: CollectionKey, xml: string): Promise<{ counts: object; changes: ChangeEvent[] }> {
  const before = (await gateway.store.collections.find(key))?.publication.sequence ?? 0;
  const response = await gateway.send('PUT', `/v1/collections/${key}/outline`, xml, opmlType);
  expect(response.status).toBe(200);
  await gateway.publish(key);
  return {
    counts: (await response.json()) as object,
    changes: await gateway.store.changes.read(key, before, 1000),
  };
}

describe("the import of an aggregator's export, again", () => {
  const first = document(
    folder('News', feed('a'), feed('b')),
    folder('Tech', folder('Deep', feed('c'), feed('d'))),
    feed('e'),
  );

  test('announces nothing if nothing differs', async () => {
    await collection('same');
    expect((await replace(collectionKey('same'), first)).changes).toHaveLength(8);
    expect(await replace(collectionKey('same'), first)).toEqual({
      counts: { created: 0, updated: 0, moved: 0, deleted: 0, unchanged: 8 },
      changes: [],
    });
  });

  test('announces a folder that was moved with all that is in it as one change', async () => {
    await collection('moved');
    await replace(collectionKey('moved'), first);
    const { counts, changes } = await replace(
      collectionKey('moved'),
      document(
        folder('News', feed('a'), folder('Deep', feed('c'), feed('d')), feed('b')),
        folder('Tech'),
        feed('e'),
      ),
    );
    expect(counts).toEqual({ created: 0, updated: 0, moved: 1, deleted: 0, unchanged: 7 });
    expect(changes).toMatchObject([{ type: 'feedmesh.item.updated.v1', data: { updates: 2 } }]);
    const item = (await (
      await gateway.send('GET', `/v1/collections/moved/items/${changes[0]?.subject}`)
    ).json()) as object;
    expect(item).toMatchObject({ attributes: { text: 'Deep' }, position: 1 });
  });
});

describe('an outline that is sent as one item', () => {
  const nested = '<outline text="A">\n  <outline text="B"/>\n</outline>';

  test('is refused if it holds others, with the position of the first, and nothing is stored', async () => {
    const path = await collection('nested');
    await gateway.send('POST', `${path}/items`, { id: 'a', attributes: { text: 'A' } });
    for (const [method, url] of [
      ['POST', `${path}/items`],
      ['PUT', `${path}/items/a`],
    ] as const) {
      expect(await problemIn(await gateway.send(method, url, nested, opmlType))).toMatchObject({
        status: 422,
        detail: expect.stringContaining('/outline'),
        violations: [{ rule: 'outline-nested', line: 2, column: 3 }],
      });
    }
    expect(await gateway.store.items.list(collectionKey('nested'), { limit: 10 })).toMatchObject([
      { id: 'a', revision: 1 },
    ]);
  });

  test('is accepted as it was read, even if others are in it', async () => {
    const path = await collection('taken-back');
    await gateway.send('POST', `${path}/items`, { id: 'a', attributes: { text: 'A' } });
    await gateway.send('POST', `${path}/items`, { id: 'b', attributes: { text: 'B' }, parent: 'a' });
    const read = await (
      await gateway.send('GET', `${path}/items/a`, undefined, { accept: 'text/x-opml' })
    ).text();
    expect(
      (await gateway.send('PUT', `${path}/items/a`, read.replace('text="A"', 'text="AA"'), opmlType)).status,
    ).toBe(200);
    expect(await (await gateway.send('GET', `${path}/items/a`)).json()).toMatchObject({
      attributes: { text: 'AA' },
      parent: null,
      sync: { version: 2 },
    });
  });

  test('keeps an element that only has the name of an outline', async () => {
    const path = await collection('foreign');
    const response = await gateway.send(
      'POST',
      `${path}/items`,
      '<outline text="A"><outline xmlns="urn:x" text="mine"/></outline>',
      { ...opmlType, accept: 'application/json' },
    );
    expect(await response.json()).toMatchObject({ payload: '<outline xmlns="urn:x" text="mine"/>' });
  });
});
