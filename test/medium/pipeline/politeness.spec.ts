import { expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import { sampleSubscription } from '#in-memory';
import { entry, feed } from './feed.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const pipeline = usePipeline({ FETCH_CONTACT_URL: 'https://mesh.example/bot' });

test('a request names product, contact and subscribers, and has both validators as they came', async () => {
  const { feeds, store } = pipeline;
  const [etag, modified] = ['W/"a b"', 'Thu, 01 Jan 2026 00:00:00 +0000'];
  const headers = { etag, 'last-modified': modified, 'set-cookie': 'id=1' };
  feeds.serve('/shared', { headers, body: feed([entry('a', ['1 there'])]) });
  for (const name of ['one', 'two', 'three'])
    await store.subscriptions.put(
      sampleSubscription({
        collection: collectionKey(name),
        id: subscriptionId('peer'),
        url: feeds.url('/shared'),
        status: name === 'three' ? 'paused' : 'active',
        interval: { minimum: 1, maximum: 1 },
        createdAt: new Date(),
      }),
    );
  for (const name of ['one', 'two']) await pipeline.collect(name);
  await pipeline.start('fetcher', 'merger', 'publisher');
  const conditional = await until(
    async () => feeds.requests('/shared').filter((request) => request.headers['if-none-match'] !== undefined),
    (found) => found.length >= 2,
  );
  for (const { headers: sent } of conditional) {
    expect(sent).toMatchObject({ 'if-none-match': etag, 'if-modified-since': modified });
    expect(sent['user-agent']).toMatch(
      /^Feedmesh\/\d+\.\d+\.\d+\S* \(\+https:\/\/mesh\.example\/bot; 2 subscribers\)$/,
    );
    expect(sent).not.toHaveProperty('cookie');
    expect(sent).not.toHaveProperty('referer');
  }
});
