import { expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import { isStress } from '../../support/stress.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const count = isStress ? 1000 : 300;

const pipeline = usePipeline({ FETCH_CONNECTIONS_PER_HOST: '50' });

/** Of two collections in turn, due at once and not again while the test runs. */
async function subscribeAll(): Promise<void> {
  const dueAt = new Date();
  for (const name of ['one', 'two']) await pipeline.collect(name);
  for (let index = 0; index < count; index += 1) {
    const path = `/feed-${index}`;
    pipeline.feeds.serve(path, { status: 304 });
    await pipeline.store.subscriptions.put({
      collection: collectionKey(index % 2 === 0 ? 'one' : 'two'),
      id: subscriptionId(`s-${index}`),
      url: pipeline.feeds.url(path),
      status: 'active',
      interval: { minimum: 86_400, maximum: 86_400 },
      cursor: { etag: '"1"' },
      cursorVersion: 1,
      nextFetchAt: dueAt,
      nextFetchReason: 'it is due',
      failures: 0,
      createdAt: dueAt,
    });
  }
}

test(`of ${count} due subscriptions several fetchers fetch each one once`, async () => {
  await subscribeAll();
  await pipeline.start('fetcher', 'fetcher', 'fetcher');
  const all = await until(
    async () => {
      const lists = ['one', 'two'].map((name) =>
        pipeline.store.subscriptions.list(collectionKey(name), { limit: count }),
      );
      return (await Promise.all(lists)).flat();
    },
    (found) => found.every(({ last, manifest }) => last !== undefined && manifest === undefined),
  );
  expect(new Set(all.map(({ last }) => last?.outcome))).toEqual(new Set(['not-modified']));
  const requests = Array.from(
    { length: count },
    (_, index) => pipeline.feeds.requests(`/feed-${index}`).length,
  );
  expect(requests).toEqual(Array(count).fill(1));
  // Nothing was opened, and no job was sent.
  expect(await pipeline.store.manifests.unfinished(new Date(8e15), 1)).toEqual([]);
  expect(await pipeline.sent('fetch')).toBe(0);
});
