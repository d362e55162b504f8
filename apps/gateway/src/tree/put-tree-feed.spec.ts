import { beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryQueue, createMemoryStore, MemoryFetchHistory } from '#in-memory';
import { collectionKey } from '#core';
import { putCollection } from '../collections/put-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { JobRequests } from '../jobs/job-requests.ts';
import { gatewayLimits } from '../../../../test/support/gateway-limits.ts';
import { putTreeFeed } from './put-tree-feed.ts';

const news = collectionKey('news');

let queue: ReturnType<typeof createMemoryQueue>;
let ports: GatewayPorts;

beforeEach(async () => {
  queue = createMemoryQueue();
  const clock = { now: () => new Date('2026-01-01T00:00:00Z'), wait: () => Promise.resolve() };
  ports = {
    store: createMemoryStore({ clock }),
    jobs: new JobRequests(queue),
    clock,
    fetches: new MemoryFetchHistory(),
    random: { fraction: () => 0, identifier: () => '1' },
    publicUrl: 'http://here.example',
    endpointBase: async () => 'here',
    ...gatewayLimits(),
  };
  await putCollection(ports, news, { protocol: 'cse', title: 'News' });
  await putTreeFeed(ports, news, 'sport', {});
});

/** The collections that somebody has asked to publish since this was last asked. */
async function requested(): Promise<string[]> {
  const asked: string[] = [];
  // They are sent at the end of a turn of the event loop.
  await new Promise((turn) => void setImmediate(() => setImmediate(turn)));
  while (await queue.deliver({ publish: async ({ collection }) => void asked.push(collection) }));
  return asked;
}

describe('what a feed of a tree says of itself', () => {
  test('requests no publication if the feed is new: nobody has seen it', async () => {
    expect(await requested()).toEqual([]);
    expect(await ports.store.feeds.pending(news, 10)).toEqual([]);
  });

  test.each([{ title: 'Sports' }, { description: 'Of today' }, { link: 'http://news.example/sport' }])(
    'requests publication if it changes: %j',
    async (body) => {
      await putTreeFeed(ports, news, 'sport', body);
      expect(await requested()).toEqual(['news']);
      expect(await ports.store.feeds.pending(news, 10)).toMatchObject([{ id: 'sport' }]);
    },
  );

  test('is not pending if it stays as it was', async () => {
    await putTreeFeed(ports, news, 'sport', { title: 'sport' });
    await putCollection(ports, news, { title: 'News' });
    expect(await ports.store.feeds.pending(news, 10)).toEqual([]);
  });

  test('requests publication if the collection, and therefore its root, gets another title', async () => {
    await putCollection(ports, news, { title: 'All news' });
    expect(await requested()).toEqual(['news']);
    expect(await ports.store.feeds.pending(news, 10)).toMatchObject([{ id: 'root' }]);
  });
});
