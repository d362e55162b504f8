import { expect, test } from '@jest/globals';
import { consumeChanges } from '#client';
import { collectionKey } from '#core';
import { lastBlock } from '../../support/published-blocks.ts';
import { until } from '../../support/until.ts';
import { entry, feed } from '../pipeline/feed.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

test('a consumer gets every item of a large feed from a stream that keeps a few', async () => {
  const pipeline = await PipelineUnderTest.open({ STREAM_LENGTH: '100' });
  const stop = new AbortController();
  const ids = Array.from({ length: 500 }, (_, index) => `item-${index}`);
  try {
    await pipeline.start('gateway', 'fetcher', 'merger', 'publisher');
    const options = { redisUrl: pipeline.redisUrl, url: await pipeline.healthUrl('gateway'), group: 'team' };
    const consume = () => consumeChanges({ ...options, consumer: 'one', signal: stop.signal });
    pipeline.feeds.serve('/first', feed([entry('first', ['1 there'])]));
    await pipeline.subscribe('first');
    for await (const { subject } of consume()) if (subject === 'first') break;
    pipeline.feeds.serve('/notes', feed(ids.map((id) => entry(id, ['1 there']))));
    await pipeline.subscribe('notes');
    await until(
      async () => (await lastBlock(pipeline.store, collectionKey('notes')))?.events.at(-1)?.sequence,
      (sequence) => Number(sequence) >= ids.length,
    );
    const received = new Set<string>();
    for await (const { type, subject } of consume()) {
      if (type.startsWith('feedmesh.item.')) received.add(subject);
      if (received.size === ids.length + 1) break;
    }
    expect(received).toEqual(new Set(['first', ...ids]));
  } finally {
    stop.abort();
    await pipeline.close();
  }
});
