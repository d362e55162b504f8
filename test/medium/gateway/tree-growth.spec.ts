import { beforeAll, expect, test } from '@jest/globals';
import { plantTree, sendToTree } from '../../support/growth/planted-tree.ts';
import type { MongodbOperation } from '../../support/mongodb-operations.ts';
import { useGateway } from './use-gateway.ts';

/** How many items the root has, each with a feed below it, and how many items each of these has. */
const sizes = { small: [10, 1], large: [40, 1], deep: [10, 10] } as const;
type Size = keyof typeof sizes;

const gateway = useGateway();
beforeAll(async () => {
  for (const size of ['small', 'large', 'deep'] as const)
    await plantTree(gateway, size, sizes[size][0], sizes[size][1]);
});

const send = (method: string, path: string, body: unknown): Promise<void> =>
  sendToTree(gateway, method, path, body);

const documentsOf = (operations: readonly MongodbOperation[]): number =>
  operations.reduce((sum, { documents }) => sum + documents, 0);

/** How many documents are read while something is done with a tree of each of these sizes. */
async function documentsRead(of: readonly Size[], work: (size: Size) => Promise<unknown>): Promise<number[]> {
  const counts: number[] = [];
  for (const size of of) counts.push(documentsOf(await gateway.operations(() => work(size))));
  return counts;
}

test('adding an item to the root, and publishing it, reads as much of a large tree', async () => {
  const [small, large] = await documentsRead(['small', 'large'], async (size) => {
    await send('POST', `/v1/collections/${size}/items`, { guid: 'added', title: 'Added' });
    await gateway.publish(size);
  });
  expect(large).toBe(small);
});

test('editing an item of the root reads as much of a large tree as of a small one', async () => {
  const [small, large] = await documentsRead(['small', 'large'], async (size) => {
    const links = [{ feed: 'feed-3' }];
    await send('PUT', `/v1/collections/${size}/items/root:feed-3`, { title: 'Edited', links });
    await gateway.publish(size);
  });
  expect(large).toBe(small);
});

test('a page of the tree reads no more of a large one', async () => {
  const [small, large] = await documentsRead(['small', 'large'], (size) =>
    gateway.send('GET', `/v1/collections/${size}/tree?limit=5`),
  );
  expect(large).toBe(small);
});

test('the root as a feed reads what it shows, whatever stands below', async () => {
  const [small = 0, large = 0, deep] = await documentsRead(['small', 'large', 'deep'], async (size) =>
    (await gateway.send('GET', `/feeds/${size}.rss`)).text(),
  );
  // Two trees have had an item added.
  expect([small - 2, deep]).toEqual([deep, deep]);
  // Each item is measured and read, and so is the date of its feed.
  expect(large - small).toBe(30 * 3);
});
