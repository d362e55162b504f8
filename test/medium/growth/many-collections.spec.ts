import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMemoryQueue } from '#in-memory';
import { collectionKey } from '#core';
import { unrelayedSearch } from '../../../apps/publisher/src/reconcile-publications.ts';
import { StoreUnderTest } from './store-under-test.ts';
import type { Cost } from './store-under-test.ts';

let under: StoreUnderTest;
beforeAll(async () => {
  under = await StoreUnderTest.open();
});
afterAll(() => under.close());

let count = 0;

/** Brings the number of collections to this, each with one published item. */
async function collectTo(total: number): Promise<void> {
  for (; count < total; count += 10)
    await Promise.all(
      Array.from({ length: 10 }, async (_, place) => {
        const name = `c-${count + place}`;
        await under.collect(name);
        await under.edit(name, 'a', 'create');
        await under.publish(name);
      }),
    );
}

/** What the work costs with 20, and with 120 collections. */
async function costs(work: () => Promise<unknown>): Promise<Cost[]> {
  const found: Cost[] = [];
  for (const total of [20, 120]) {
    await collectTo(total);
    await work();
    found.push(await under.cost(work));
  }
  return found;
}

describe('the search for what was not relayed', () => {
  const queue = createMemoryQueue();
  const search = unrelayedSearch();

  test('reads no collection whose publisher has come to its end', async () => {
    expect(await costs(() => search({ store: under.store, queue }))).toEqual([
      { operations: 1, documents: 0 },
      { operations: 1, documents: 0 },
    ]);
  });

  test('reads those that were interrupted', async () => {
    for (const name of ['c-3', 'c-4']) {
      const lease = await under.store.collections.lease(collectionKey(name), 'one', 60_000);
      if (lease === undefined) throw new Error(`${name} is leased`);
      await under.store.collections.abandon(lease);
    }
    expect(await under.cost(() => search({ store: under.store, queue }))).toEqual({
      operations: 1,
      documents: 2,
    });
  });
});
