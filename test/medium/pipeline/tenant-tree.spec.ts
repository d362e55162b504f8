import { expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import { sampleCollection } from '#in-memory';
import { feed, file } from '../../../apps/fetcher/src/tree/__fixtures__/feed.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const name = 'paper.news';
const key = collectionKey(name);

const pipeline = usePipeline({ FETCH_HOST_LONGEST_PAUSE_SECONDS: '0.01' }, 'fetcher', 'merger', 'publisher');

const limit = (files: number): Promise<unknown> =>
  pipeline.store.tenants.put('paper', { limits: { files }, isSuspended: false }, new Date());

test('a mirrored tree with too many files for its tenant fails, and is whole later', async () => {
  // A feed and what it was parsed to, and two of three files.
  await limit(4);
  const rss = { 'content-type': 'application/rss+xml' };
  const files = ['one', 'two', 'three'];
  const links = files.map(
    (path, place) => [path, place + 1, file(pipeline.feeds.url(`/${path}.txt`))] as const,
  );
  pipeline.feeds.serve(`/${name}`, { headers: rss, body: feed('News', ...links) });
  for (const path of files)
    pipeline.feeds.serve(`/${path}.txt`, { headers: { 'content-type': 'text/plain' }, body: path });
  await pipeline.store.collections.create(
    sampleCollection({ key, protocol: 'cse', format: 'rss', title: 'News', createdAt: new Date() }),
  );
  await pipeline.subscribe(name);
  const { last } = await until(
    () => pipeline.subscription(name),
    (subscription) => subscription.last?.outcome === 'failed',
  );
  expect([last?.rule, last?.cause]).toEqual(['tenant-limit', 'tenant-limit']);
  expect(last?.reason).toContain('The tenant "paper" may have 4 files (its own limit)');
  expect((await pipeline.store.tenants.stored('paper')).files).toBeLessThanOrEqual(4);

  await limit(10);
  await until(async () => {
    const { last: report, succeededAt } = await pipeline.subscription(name);
    if (succeededAt !== undefined) return true;
    if (report?.outcome === 'failed')
      await pipeline.store.subscriptions.refresh(
        key,
        subscriptionId('peer'),
        { nextFetchAt: new Date(0), nextFetchReason: 'test' },
        false,
      );
    return false;
  });
  // What is stored is counted a moment later.
  await until(
    () => pipeline.store.tenants.stored('paper'),
    ({ items, files: stored }) => items === 3 && stored === 5,
  );
});
