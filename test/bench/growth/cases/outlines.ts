import type { DeletionView } from '#contracts';
import { collectionKey } from '#core';
import { createMemoryQueue } from '#in-memory';
import { systemClock, systemRandom } from '#service';
import { continueDeletion } from '../../../../apps/merger/src/deletions/continue-deletion.ts';
import type { GatewayUnderTest } from '../../../medium/gateway/gateway-under-test.ts';
import type { MongodbOperation } from '../../../support/mongodb-operations.ts';
import type { Counts, GrowthCase } from '../growth-case.ts';
import { countsOf, withGateway } from '../under-test.ts';

const pathOf = (collection: string): string => `/v1/collections/${collection}`;

/** Imports an outline, and publishes it. */
async function importOutline(gateway: GatewayUnderTest, collection: string, body: string): Promise<void> {
  const path = pathOf(collection);
  await gateway.send('PUT', path, { format: 'opml' });
  const xml = `<opml version="1.0"><head/><body>${body}</body></opml>`;
  const put = await gateway.send('PUT', `${path}/outline`, xml, { 'content-type': 'text/x-opml' });
  if (put.status !== 200) throw new Error(`PUT ${path}/outline: ${put.status} ${await put.text()}`);
  await gateway.publish(collection);
}

/** So many outlines, one after the other. */
function outlines(count: number): string {
  return Array.from({ length: count }, (_, place) => `<outline text="${place}"/>`).join('');
}

/** The path of the outline at a place of the first level. */
async function pathAt({ store }: GatewayUnderTest, collection: string, place: number): Promise<string> {
  const at = { skip: place, limit: 1 };
  const [found] = await store.items.placesBelow(collectionKey(collection), '', at);
  if (found === undefined) throw new Error(`there is no outline at ${place}`);
  return `${pathOf(collection)}/items/${encodeURIComponent(found.id)}`;
}

/** Counts what a request and its publication take. */
async function countRequest(
  gateway: GatewayUnderTest,
  collection: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Counts> {
  return countsOf(
    await gateway.operations(async () => {
      const response = await gateway.send(method, path, body);
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      await gateway.publish(collection);
    }),
  );
}

/** Does what the merger and the publisher do of a deletion. */
async function deleteInside(gateway: GatewayUnderTest, name: string, deletion: string): Promise<void> {
  const ports = {
    store: gateway.store,
    queue: createMemoryQueue({ fraction: () => 0.5, lose: 0, repeat: 0 }),
    clock: systemClock,
    random: systemRandom,
    publicUrl: gateway.url,
  };
  const job = { version: 1, collection: collectionKey(name), deletion } as const;
  await continueDeletion(ports, { lease: 60_000, keep: 60_000 }, job);
  await gateway.publish(name);
}

function perOutline(operations: readonly MongodbOperation[], count: number): Counts {
  const { operations: all = 0, documents = 0 } = countsOf(operations);
  return { operations: all, documents, 'documents for each outline': documents / count };
}

/** Makes a collection of a folder with so many outlines in it, and three outlines after it. */
function importFolder(gateway: GatewayUnderTest, name: string, count: number): Promise<void> {
  return importOutline(gateway, name, `<outline text="Folder">${outlines(count)}</outline>${outlines(3)}`);
}

/** What is counted of ordered collections. */
export const outlineCases: readonly GrowthCase[] = [
  {
    name: 'a changed text in an ordered collection',
    unit: 'outlines',
    sizes: [100, 5000],
    count: (count) =>
      withGateway(async (gateway, name) => {
        await importOutline(gateway, name, outlines(count));
        const attributes = { text: 'Changed' };
        return countRequest(gateway, name, 'PATCH', await pathAt(gateway, name, 5), { attributes });
      }),
  },
  {
    name: 'moving a folder',
    unit: 'outlines in it',
    sizes: [100, 1000],
    count: (count) =>
      withGateway(async (gateway, name) => {
        await importFolder(gateway, name, count);
        return countRequest(gateway, name, 'PATCH', await pathAt(gateway, name, 0), { position: 2 });
      }),
  },
  {
    name: 'moving a folder into another one',
    unit: 'outlines in it',
    sizes: [100, 1000],
    count: (count) =>
      withGateway(async (gateway, name) => {
        await importFolder(gateway, name, count);
        const into = await pathAt(gateway, name, 1);
        const parent = decodeURIComponent(into.slice(into.lastIndexOf('/') + 1));
        return countRequest(gateway, name, 'PATCH', await pathAt(gateway, name, 0), { parent });
      }),
  },
  {
    name: 'a request to delete a folder, with its publication',
    unit: 'outlines in it',
    sizes: [1000, 5000],
    count: (count) =>
      withGateway(async (gateway, name) => {
        await importFolder(gateway, name, count);
        return countRequest(gateway, name, 'DELETE', await pathAt(gateway, name, 0));
      }),
  },
  {
    name: 'deleting what is in a folder after its request, with its publication',
    unit: 'outlines in it',
    sizes: [1000, 5000],
    count: (count) =>
      withGateway(async (gateway, name) => {
        await importFolder(gateway, name, count);
        const response = await gateway.send('DELETE', await pathAt(gateway, name, 0));
        const { id } = (await response.json()) as DeletionView;
        return perOutline(await gateway.operations(() => deleteInside(gateway, name, id)), count);
      }),
  },
];
