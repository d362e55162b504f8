import { beforeAll, expect, test } from '@jest/globals';
import { collectionKey, itemId } from '#core';
import { useGateway } from './use-gateway.ts';

const sizes = [50, 1000];
const outlines = (size: number): string => `/v1/collections/of-${size}/items`;

const gateway = useGateway();
beforeAll(async () => {
  for (const size of sizes) {
    await gateway.send('PUT', `/v1/collections/of-${size}`, { format: 'opml' });
    const texts = Array.from({ length: size }, (_, place) => `<outline text="${place}"/>`).join('');
    const list = `<opml version="1.0"><head/><body>${texts}</body></opml>`;
    const put = await gateway.send('PUT', `/v1/collections/of-${size}/outline`, list, {
      'content-type': 'text/x-opml',
    });
    expect(put.status).toBe(200);
  }
});

/** The id of the outline at a place. */
async function idAt(size: number, place: number): Promise<string> {
  const [found] = await gateway.store.items.placesBelow(collectionKey(`of-${size}`), '', {
    skip: place,
    limit: 1,
  });
  return found?.id ?? '';
}

/** How many documents MongoDB looks at for an edit, and the position that its response says. */
async function cost(
  size: number,
  method: string,
  id: string,
  body: unknown,
): Promise<{ documents: number; position: number | undefined }> {
  let shown: { status?: number; position?: number } = {};
  const operations = await gateway.operations(async () => {
    const path = `${outlines(size)}${id === '' ? '' : `/${encodeURIComponent(id)}`}`;
    const response = await gateway.send(method, path, body);
    shown = { status: response.status, ...((await response.json()) as object) };
  });
  expect(shown).toMatchObject({ revision: expect.any(Number) });
  const { position } = shown;
  return { documents: operations.reduce((sum, { documents }) => sum + documents, 0), position };
}

test.each([
  ['a changed text', 'PATCH', 20, { attributes: { text: 'Changed' } }, 20],
  ['a move to an index', 'PATCH', 20, { position: 30 }, 30],
  ['a move to where it is', 'PATCH', 21, { position: 21 }, 21],
  ['a move to the first place', 'PATCH', 20, { position: 0 }, 0],
  ['a new outline at an index', 'POST', undefined, { attributes: { text: 'New' }, position: 7 }, 7],
  ['a new outline, the last', 'POST', undefined, { attributes: { text: 'New' } }, 'last'],
] as const)('%s reads no sibling', async (_what, method, place, body, position) => {
  const documents: number[] = [];
  for (const size of sizes) {
    const places = (await gateway.store.items.placesBelow(collectionKey(`of-${size}`), '', {})).length;
    const id = place === undefined ? '' : await idAt(size, place);
    const edited = await cost(size, method, id, body);
    expect(edited.position).toBe(position === 'last' ? places : position);
    documents.push(edited.documents);
  }
  expect(documents).toEqual([documents[0], documents[0]]);
  // The collection and the item, each read, and both as they are written.
  expect(documents[0]).toBeLessThanOrEqual(4);
});

test('an outline with others in it is moved into another one without reading what stands in it', async () => {
  const documents: number[] = [];
  for (const size of sizes) {
    const [moved, into] = [await idAt(size, 3), await idAt(size, 4)];
    const below = Array.from({ length: 3 }, (_, place) => `${place}`);
    for (const text of below)
      await gateway.send('POST', outlines(size), { attributes: { text }, parent: moved });
    const edited = await cost(size, 'PATCH', moved, { parent: into });
    expect(edited.position).toBe(0);
    const stored = await gateway.store.items.load(collectionKey(`of-${size}`), [itemId(moved)]);
    expect(stored.get(itemId(moved))?.position?.parent).toBe(into);
    documents.push(edited.documents);
  }
  expect(documents).toEqual([documents[0], documents[0]]);
});
