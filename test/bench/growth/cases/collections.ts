import { createMemoryQueue } from '#in-memory';
import { feedPurge } from '../../../../apps/publisher/src/purge-feeds.ts';
import { followPublished } from '../../../../apps/publisher/src/reconcile-publications.ts';
import type { CountedStore } from '../../../support/growth/counted-store.ts';
import { collectResynced, sweepResynced } from '../../../support/growth/resync.ts';
import type { Counts, GrowthCase } from '../growth-case.ts';
import { withStore } from '../under-test.ts';

/** Does so many things, ten at a time. */
async function inTens(count: number, work: (place: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < count; start += 10)
    await Promise.all(Array.from({ length: Math.min(10, count - start) }, (_, place) => work(start + place)));
}

/** Makes collections with one published item each. */
async function collectMany(under: CountedStore, collections: number): Promise<void> {
  await inTens(collections, async (place) => {
    const name = `c-${place}`;
    await under.collect(name);
    await under.edit(name, 'a', 'create');
    await under.publish(name);
  });
}

/** Makes a collection with so many items, and publishes them together. */
async function collectItems(under: CountedStore, items: number): Promise<void> {
  await under.collect('many', { windowItems: 100, windowLimit: 200 });
  await inTens(items, (place) => under.edit('many', `item-${place}`, 'create'));
  await under.publish('many');
}

/** Counts the second run of what looks at everything in its first one. */
async function countAgain(under: CountedStore, work: () => Promise<void>): Promise<Counts> {
  await work();
  return { ...(await under.cost(work)) };
}

/** What is counted of collections of FeedSync, and of what looks at all of them from time to time. */
export const collectionCases: readonly GrowthCase[] = [
  {
    name: 'a search for what was not followed, with nothing to find',
    unit: 'collections',
    sizes: [100, 500],
    count: (collections) =>
      withStore(async (under) => {
        await collectMany(under, collections);
        const ports = { store: under.store, queue: createMemoryQueue() };
        return countAgain(under, () => followPublished(ports));
      }),
  },
  {
    name: 'a purge of the feeds, with nothing that has to go',
    unit: 'collections',
    sizes: [100, 500],
    count: (collections) =>
      withStore(async (under) => {
        await collectMany(under, collections);
        const purge = feedPurge(under.clock, 1000);
        return countAgain(under, () => purge(under));
      }),
  },
  {
    name: 'a sweep after a resync that has brought half of the items',
    unit: 'items',
    sizes: [1000, 10_000],
    count: (items) =>
      withStore(async (under) => {
        await collectResynced(under, 'resynced', items);
        const { operations, documents } = await sweepResynced(under, 'resynced');
        return { operations, documents, 'documents for an item': documents / items };
      }),
  },
  {
    name: 'an edit and its publication',
    unit: 'items',
    sizes: [500, 5000],
    count: (items) =>
      withStore(async (under) => {
        await collectItems(under, items);
        return {
          ...(await under.cost(async () => {
            await under.edit('many', 'item-7', 'update');
            await under.publish('many');
          })),
        };
      }),
  },
  {
    name: 'reading the partial feed after a bulk load, with a limit of 200',
    unit: 'items',
    sizes: [500, 5000],
    count: (items) =>
      withStore(async (under) => {
        await collectItems(under, items);
        const { key, publication } = await under.found('many');
        return {
          ...(await under.cost(async () => {
            for await (const _item of under.store.items.published(key, publication.since));
          })),
        };
      }),
  },
];
