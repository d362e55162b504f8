import { plantTree, sendToTree } from '../../../support/growth/planted-tree.ts';
import { countPoll } from '../../../support/growth/polled-mirror.ts';
import type { GrowthCase } from '../growth-case.ts';
import { countsOf, withGateway, withServices } from '../under-test.ts';

/** What is counted of trees of feeds. */
export const treeCases: readonly GrowthCase[] = [
  {
    name: 'adding an item to the root of a tree, and publishing it',
    unit: 'feeds',
    sizes: [10, 200],
    count: (feeds) =>
      withGateway(async (gateway, name) => {
        await plantTree(gateway, name, feeds, 1);
        return countsOf(
          await gateway.operations(async () => {
            const item = { guid: 'added', title: 'Added' };
            await sendToTree(gateway, 'POST', `/v1/collections/${name}/items`, item);
            await gateway.publish(name);
          }),
        );
      }),
  },
  {
    name: 'reading the root of a tree with 10 items, each with a feed below it',
    unit: 'items in each feed',
    sizes: [5, 50],
    count: (items) =>
      withGateway(async (gateway, name) => {
        await plantTree(gateway, name, 10, items);
        return countsOf(
          await gateway.operations(async () => {
            await (await gateway.send('GET', `/feeds/${name}.rss`)).arrayBuffer();
          }),
        );
      }),
  },
  {
    name: 'a poll of a mirror that has not changed',
    unit: 'feeds',
    sizes: [10, 100],
    count: (feeds) =>
      withServices(async (services) => {
        const { operations, requests } = await countPoll(services, feeds);
        return { ...countsOf(operations), requests };
      }),
  },
];
