import { collectionKey, subscriptionId } from '#core';
import { sampleCollection } from '#in-memory';
import { closeServers } from '../../../cli/local-server.ts';
import type { PipelineUnderTest } from '../../../medium/pipeline/pipeline-under-test.ts';
import { plantTree, sendToTree } from '../../../support/growth/planted-tree.ts';
import { TreeSite } from '../../../support/tree-site/tree-site.ts';
import type { Counts, GrowthCase } from '../growth-case.ts';
import { subscriptionTo, untilFetched, withoutLooks } from '../subscriptions.ts';
import { countsOf, withGateway, withServices } from '../under-test.ts';

const mirror = collectionKey('mirror');
const source = subscriptionId('source');

/** Mirrors a tree of so many feeds, and counts what a poll of it takes that finds nothing new. */
async function countPoll(services: PipelineUnderTest, feeds: number): Promise<Counts> {
  const site = await TreeSite.open({ feeds, items: feeds * 3, files: feeds, levels: 3 });
  try {
    await services.start('fetcher', 'merger', 'publisher');
    await services.store.collections.create(
      sampleCollection({
        key: mirror,
        protocol: 'cse',
        format: 'rss',
        title: 'Mirror',
        endpoint: 'test:mirror',
        createdAt: new Date(),
      }),
    );
    await services.store.subscriptions.put(subscriptionTo(mirror, source, site.url));
    await untilFetched(services, mirror, 1);
    await services.published(mirror);
    await poll(services);
    site.resetCounts();
    const operations = await services.operations(() => poll(services));
    const requests = site.counts.feeds + site.counts.files;
    return { ...countsOf(withoutLooks(operations)), requests };
  } finally {
    await closeServers();
  }
}

async function poll(services: PipelineUnderTest): Promise<void> {
  const now = new Date();
  const due = { nextFetchAt: now, nextFetchReason: 'it is due' };
  await services.store.subscriptions.refresh(mirror, source, due, false);
  await untilFetched(services, mirror, 1, now);
}

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
    count: (feeds) => withServices((services) => countPoll(services, feeds)),
  },
];
