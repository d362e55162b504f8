import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { FeedmeshClient } from '#client';
import { openedStore } from '#service';
import { collectionKey } from '#core';
import type { Store } from '#core';
import { BullServer } from '#queue';
import { Polls } from '../../../apps/fetcher/src/polls.ts';
import { entry, feed } from './feed.ts';
import { summary } from './pipeline-under-test.ts';
import type { ServiceName } from './pipeline-under-test.ts';
import { usePipeline } from './use-pipeline.ts';

const pipeline = usePipeline({ JOB_LOCK_MS: '30000', JOB_STALLED_CHECK_MS: '2000' });

afterEach(() => {
  jest.restoreAllMocks();
});

/** A moment that is waited for. */
function moment(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach };
}

/**
 * Starts a service in which the job that next calls this method of the store for this collection is held up
 * until the transport or the polls begin to end: by then everything that is closed too early
 * is closed.
 * @returns a promise that the job is there
 */
async function startHeldUp<Port extends keyof Store>(
  name: ServiceName,
  { collection, port, method }: { collection: string; port: Port; method: keyof Store[Port] },
): Promise<() => Promise<void>> {
  const [arrival, release] = [moment(), moment()];
  const { close } = BullServer.prototype as { close: (this: BullServer) => Promise<void> };
  jest.spyOn(BullServer.prototype, 'close').mockImplementation(async function (this: BullServer) {
    const closing = close.call(this);
    release.reach();
    await closing;
  });
  const { idle } = Polls.prototype as { idle: (this: Polls) => Promise<void> };
  jest.spyOn(Polls.prototype, 'idle').mockImplementation(async function (this: Polls) {
    const ending = idle.call(this);
    release.reach();
    await ending;
  });
  const [application] = await pipeline.start(name);
  type Call = (...parameters: unknown[]) => Promise<unknown>;
  const held = application?.get<Store>(openedStore)[port] as Record<keyof Store[Port], Call>;
  const original = held[method].bind(held);
  held[method] = async (...parameters) => {
    if (JSON.stringify(parameters).includes(`"${collection}"`)) {
      arrival.reach();
      await release.reached;
    }
    return original(...parameters);
  };
  return () => arrival.reached;
}

test.each(['fetcher', 'merger', 'publisher', 'gateway'] as const)(
  'the %s takes jobs of dead workers as it is set to',
  async (name) => {
    const listen = jest.spyOn(BullServer.prototype, 'listen');
    await pipeline.start(name);
    const workers = listen.mock.contexts.flatMap((server) =>
      [...(server as BullServer).unwrap().values()].flat(),
    );
    expect(workers.length).toBeGreaterThan(0);
    for (const { opts } of workers)
      expect(opts).toMatchObject({ lockDuration: 30_000, stalledInterval: 2000 });
    await pipeline.stop(name);
  },
);

describe('a service that is closed while a job runs lets it finish with everything that it needs:', () => {
  test('the fetcher, its fetch', async () => {
    pipeline.feeds.serve('/fetched', feed([entry('a', ['1 there'])]));
    const arrival = await startHeldUp('fetcher', {
      collection: 'fetched',
      port: 'collections',
      method: 'find',
    });
    await pipeline.subscribe('fetched');
    await arrival();
    await pipeline.stop('fetcher');
    expect(await pipeline.subscription('fetched')).toMatchObject({ seal: { items: 1, batches: 1 } });
    expect(await pipeline.queue.backlog('merge')).toBe(1);
  });

  test('the merger, its batch', async () => {
    const arrival = await startHeldUp('merger', { collection: 'merged', port: 'items', method: 'load' });
    pipeline.feeds.serve('/merged', feed([entry('a', ['1 there'])]));
    await pipeline.start('fetcher');
    await pipeline.subscribe('merged');
    await arrival();
    await pipeline.stop('merger');
    expect(await pipeline.items('merged')).toMatchObject({ a: { revision: 1 } });
    expect(await pipeline.subscription('merged')).toMatchObject({ last: { outcome: 'fetched', items: 1 } });
    await pipeline.stop('fetcher');
  });

  test('the publisher, its block', async () => {
    const arrival = await startHeldUp('publisher', {
      collection: 'published',
      port: 'collections',
      method: 'follow',
    });
    await pipeline.collect('published');
    await pipeline.create('published', 'a');
    await arrival();
    await pipeline.stop('publisher');
    expect(summary(await pipeline.relayed('published'))).toEqual(['item.created a']);
    const { publication } = (await pipeline.store.collections.find(collectionKey('published'))) ?? {};
    expect(publication).toMatchObject({ sequence: 1, relayed: 1 });
  });

  test('the gateway, its command', async () => {
    const arrival = await startHeldUp('gateway', {
      collection: 'orders',
      port: 'items',
      method: 'compareAndSet',
    });
    await pipeline.collect('orders');
    const data = { collection: 'orders', action: 'create', id: 'order-1', item: { title: 'Tea' } } as const;
    const client = new FeedmeshClient({ redisUrl: pipeline.redisUrl });
    await client.edit(data);
    await client.close();
    await arrival();
    await pipeline.stop('gateway');
    expect(await pipeline.items('orders')).toMatchObject({ 'order-1': { revision: 1 } });
  });
});
