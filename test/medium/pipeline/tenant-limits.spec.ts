import { describe, expect, test } from '@jest/globals';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { StoredUsage, TenantLimits } from '#core';
import { entry, feed } from './feed.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

/** Items of one batch, and how many batches two mergers merge at the same time. */
const batch = 15;
const concurrent = 2 * 2;
const size = 600;

const pipeline = usePipeline(
  {
    FETCH_BATCH_ITEMS: String(batch),
    MERGE_CONCURRENCY: '2',
    TENANT_ITEMS: '100000',
  },
  'fetcher',
  'merger',
  'merger',
  'publisher',
);

const items = (count: number, version = '1 there'): string =>
  feed(Array.from({ length: count }, (_value, number) => entry(`item-${number}`, [version])));

async function limit(tenant: string, limits: TenantLimits): Promise<void> {
  await pipeline.store.tenants.put(tenant, { limits, isSuspended: false }, new Date());
}

const stored = (tenant: string): Promise<StoredUsage> => pipeline.store.tenants.stored(tenant);

const refresh = (collection: string): Promise<unknown> =>
  pipeline.store.subscriptions.refresh(
    collectionKey(collection),
    subscriptionId('peer'),
    { nextFetchAt: new Date(0), nextFetchReason: 'test' },
    false,
  );

async function failed(collection: string): Promise<string> {
  const { last } = await until(
    () => pipeline.subscription(collection),
    ({ last }) => last?.outcome === 'failed',
  );
  expect([last?.rule, last?.cause]).toEqual(['tenant-limit', 'tenant-limit']);
  return last?.reason ?? '';
}

describe('a feed that brings more items than its tenant may have', () => {
  test('fails with the limit, exceeds it by what is merged at once, and brings all later', async () => {
    await limit('greedy', { items: 100 });
    await limit('calm', {});
    pipeline.feeds.serve('/greedy.todo', items(size));
    pipeline.feeds.serve('/calm.todo', items(30));
    await pipeline.subscribe('greedy.todo');
    await pipeline.subscribe('calm.todo');
    expect(await failed('greedy.todo')).toMatch(
      /^The tenant "greedy" may have 100 items \(its own limit\) and has [0-9]+\.$/,
    );
    const { items: count } = await until(
      () => stored('greedy'),
      (usage) => usage.items >= 100,
    );
    expect(count).toBeLessThan(100 + concurrent * batch);
    const subscription = await pipeline.subscription('greedy.todo');
    expect(subscription.cursor).toEqual({});
    expect(subscription.failures).toBe(1);
    expect(subscription.nextFetchReason).toContain('may have 100 items');
    await until(
      () => stored('calm'),
      (usage) => usage.items === 30,
    );
    expect(await pipeline.store.deadLetters.list({ limit: 5 })).toEqual([]);

    await limit('greedy', { items: 1000 });
    await until(async () => {
      // Mergers believe the former limit for a second at the most.
      const { last, succeededAt } = await pipeline.subscription('greedy.todo');
      if (last?.outcome === 'failed') await refresh('greedy.todo');
      return succeededAt !== undefined;
    });
    expect(await stored('greedy')).toMatchObject({ items: size });
  });

  test('still brings what makes nothing more', async () => {
    await limit('full', {});
    pipeline.feeds.serve('/full.todo', items(20));
    await pipeline.subscribe('full.todo');
    await until(
      () => stored('full'),
      (usage) => usage.items === 20,
    );
    await until(
      () => pipeline.subscription('full.todo'),
      ({ last }) => last?.outcome === 'fetched',
    );
    await limit('full', { items: 5, bytes: 5 });
    // Those that are running believe the former limit for a second at the most.
    await pipeline.stop('merger');
    await pipeline.start('merger', 'merger');
    pipeline.feeds.serve('/full.todo', items(25, '2 there'));
    await until(async () => {
      await refresh('full.todo');
      const loaded = await pipeline.store.items.load(collectionKey('full.todo'), [itemId('item-19')]);
      return loaded.get(itemId('item-19'))?.version.updates === 2;
    });
    expect(await failed('full.todo')).toContain('may have 5 items (its own limit)');
    expect((await stored('full')).items).toBe(20);
  });
});

test('what a tenant has is counted again by a merger', async () => {
  await pipeline.collect('lost.todo');
  await limit('lost', {});
  await pipeline.create('lost.todo', 'a');
  await pipeline.store.tenants.counted();
  const rows = (await pipeline.rows()).get('usage') ?? [];
  const usage = rows.find(({ _id }) => String(_id) === 'lost.todo/stored');
  expect(usage).toBeDefined();
  // Whatever was counted so long ago any merger counts at its next look.
  await pipeline.stop('merger');
  await pipeline.replaceRow('usage', { ...usage, items: 40, countedAt: new Date(0) });
  await until(
    () => stored('lost'),
    ({ items: count }) => count === 40,
  );
  await pipeline.startWith({ TENANT_RECOUNT_SECONDS: '2' }, 'merger');
  await until(
    () => stored('lost'),
    ({ items: count }) => count === 1,
  );
});

test('feeds of a tenant wait for its rate, and those of others at the same host do not', async () => {
  await pipeline.start('fetcher');
  await limit('slow', { fetchesPerMinute: 1 });
  await limit('fast', {});
  const names = ['slow.a', 'slow.b', 'slow.c', 'fast.a', 'fast.b', 'fast.c', 'plain'];
  for (const name of names) {
    pipeline.feeds.serve(`/${name}`, items(1));
    await pipeline.subscribe(name);
  }
  const reason = 'the tenant "slow" may have 1 fetch a minute (its own limit)';
  await until(async () => {
    const subscriptions = await Promise.all(names.map((name) => pipeline.subscription(name)));
    const [fetched, waiting] = [
      subscriptions.filter(({ succeededAt }) => succeededAt !== undefined).length,
      subscriptions.filter(({ nextFetchReason }) => nextFetchReason === reason),
    ];
    const times = waiting.map(({ nextFetchAt }) => nextFetchAt.getTime()).toSorted((one, two) => one - two);
    return fetched === 5 && times.length === 2 && (times[1] ?? 0) - (times[0] ?? 0) > 50_000;
  });
  const requested = ['slow.a', 'slow.b', 'slow.c'].map((name) => pipeline.feeds.requests(`/${name}`).length);
  expect(requested.reduce((sum, count) => sum + count)).toBe(1);
});
