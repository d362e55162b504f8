import { collectionKey, subscriptionId } from '#core';
import type { PipelineUnderTest } from '../../../medium/pipeline/pipeline-under-test.ts';
import { FeedServer } from '../../feedmesh/feed-server.ts';
import { sampleFeed } from '../../feedmesh/sample-feed.ts';
import type { Counts, GrowthCase } from '../growth-case.ts';
import { subscriptionTo, untilFetched, withoutLooks } from '../subscriptions.ts';
import { countsOf, withServices } from '../under-test.ts';

const hosts = 20;

/** Lets so many subscriptions be due at the same time, and counts what fetching all of them takes. */
async function countDue(services: PipelineUnderTest, count: number): Promise<Counts> {
  const feeds = await FeedServer.start(hosts);
  try {
    feeds.set('/feed', sampleFeed(1, 'due'));
    await services.collect('due');
    const urls = Array.from({ length: count }, (_, index) => feeds.url(`/feed?${index}`, index % hosts));
    await Promise.all(
      urls.map((url, index) =>
        services.store.subscriptions.put({
          ...subscriptionTo(collectionKey('due'), subscriptionId(`s-${index}`), url),
          cursor: { etag: feeds.etag('/feed') },
          cursorVersion: 1,
        }),
      ),
    );
    const operations = await services.operations(async () => {
      await services.start('fetcher');
      await untilFetched(services, 'due', count);
    });
    const requests = urls.map((_, index) => feeds.requests(`/feed?${index}`));
    const counts = countsOf(withoutLooks(operations));
    return {
      ...counts,
      'documents for each': (counts['documents'] ?? 0) / count,
      requests: requests.reduce((sum, times) => sum + times, 0),
      'feeds requested twice': requests.filter((times) => times > 1).length,
    };
  } finally {
    await feeds.close();
  }
}

/** What is counted of subscriptions. */
export const subscriptionCases: readonly GrowthCase[] = [
  {
    name: 'subscriptions that are due at the same time, each answered by 304',
    unit: 'subscriptions',
    sizes: [100, 1000],
    count: (count) => withServices((services) => countDue(services, count)),
  },
];
