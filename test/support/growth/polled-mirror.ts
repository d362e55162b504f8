import { collectionKey, subscriptionId } from '#core';
import { sampleCollection } from '#in-memory';
import { subscriptionTo, untilFetched, withoutLooks } from '../../bench/growth/subscriptions.ts';
import { closeServers } from '../../cli/local-server.ts';
import type { PipelineUnderTest } from '../../medium/pipeline/pipeline-under-test.ts';
import type { MongodbOperation } from '../mongodb-operations.ts';
import { TreeSite } from '../tree-site/tree-site.ts';

const mirror = collectionKey('mirror');
const source = subscriptionId('source');

interface PollCost {
  /** Of MongoDB, those of periodic tasks among them. */
  readonly operations: readonly MongodbOperation[];
  /** How many documents were requested of the publisher. */
  readonly requests: number;
}

/** Mirrors a tree of so many feeds, and counts what a poll of it takes that finds nothing new. */
export async function countPoll(services: PipelineUnderTest, feeds: number): Promise<PollCost> {
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
    // The first poll after a walk compares all documents.
    await poll(services);
    site.resetCounts();
    const operations = await services.operations(() => poll(services));
    return { operations: withoutLooks(operations), requests: site.counts.feeds + site.counts.files };
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
