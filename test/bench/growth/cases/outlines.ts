import { collectionKey } from '#core';
import type { GatewayUnderTest } from '../../../medium/gateway/gateway-under-test.ts';
import type { Counts, GrowthCase } from '../growth-case.ts';
import { countsOf, withGateway } from '../under-test.ts';

const collection = '/v1/collections/outlines';

/** Imports an outline, and publishes it. */
async function importOutline(gateway: GatewayUnderTest, body: string): Promise<void> {
  await gateway.send('PUT', collection, { format: 'opml' });
  const xml = `<opml version="1.0"><head/><body>${body}</body></opml>`;
  const put = await gateway.send('PUT', `${collection}/outline`, xml, { 'content-type': 'text/x-opml' });
  if (put.status !== 200) throw new Error(`PUT ${collection}/outline: ${put.status} ${await put.text()}`);
  await gateway.publish('outlines');
}

/** So many outlines, one after the other. */
function outlines(count: number): string {
  return Array.from({ length: count }, (_, place) => `<outline text="${place}"/>`).join('');
}

/** The path of the outline at a place of the first level. */
async function pathAt({ store }: GatewayUnderTest, place: number): Promise<string> {
  const at = { skip: place, limit: 1 };
  const [found] = await store.items.placesBelow(collectionKey('outlines'), '', at);
  if (found === undefined) throw new Error(`there is no outline at ${place}`);
  return `${collection}/items/${encodeURIComponent(found.id)}`;
}

/** Counts what a request and its publication take. */
async function countRequest(
  gateway: GatewayUnderTest,
  method: string,
  path: string,
  body?: unknown,
): Promise<Counts> {
  return countsOf(
    await gateway.operations(async () => {
      const response = await gateway.send(method, path, body);
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      await gateway.publish('outlines');
    }),
  );
}

/** What is counted of ordered collections. */
export const outlineCases: readonly GrowthCase[] = [
  {
    name: 'a changed text in an ordered collection',
    unit: 'outlines',
    sizes: [100, 5000],
    count: (count) =>
      withGateway(async (gateway) => {
        await importOutline(gateway, outlines(count));
        const attributes = { text: 'Changed' };
        return countRequest(gateway, 'PATCH', await pathAt(gateway, 5), { attributes });
      }),
  },
  {
    name: 'moving a folder',
    unit: 'outlines in it',
    sizes: [100, 1000],
    count: (count) =>
      withGateway(async (gateway) => {
        await importOutline(gateway, `<outline text="Folder">${outlines(count)}</outline>${outlines(3)}`);
        return countRequest(gateway, 'PATCH', await pathAt(gateway, 0), { position: 2 });
      }),
  },
  {
    name: 'moving a folder into another one',
    unit: 'outlines in it',
    sizes: [100, 1000],
    count: (count) =>
      withGateway(async (gateway) => {
        await importOutline(gateway, `<outline text="Folder">${outlines(count)}</outline>${outlines(3)}`);
        const into = await pathAt(gateway, 1);
        const parent = decodeURIComponent(into.slice(into.lastIndexOf('/') + 1));
        return countRequest(gateway, 'PATCH', await pathAt(gateway, 0), { parent });
      }),
  },
  {
    name: 'deleting a folder',
    unit: 'outlines in it',
    sizes: [100, 1000],
    count: (count) =>
      withGateway(async (gateway) => {
        await importOutline(gateway, `<outline text="Folder">${outlines(count)}</outline>${outlines(3)}`);
        return countRequest(gateway, 'DELETE', await pathAt(gateway, 0));
      }),
  },
];
