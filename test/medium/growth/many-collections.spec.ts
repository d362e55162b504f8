import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { publishBlock } from '../../support/published-blocks.ts';
import { createMemoryQueue } from '#in-memory';
import { collectionKey } from '#core';
import { feedPurge } from '../../../apps/publisher/src/purge-feeds.ts';
import { followPublished } from '../../../apps/publisher/src/reconcile-publications.ts';
import { CountedStore } from '../../support/growth/counted-store.ts';
import type { Cost } from '../../support/growth/counted-store.ts';

let under: CountedStore;
beforeAll(async () => {
  under = await CountedStore.open();
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

/** What the work costs with 10, and with 60 collections. */
async function costs(work: () => Promise<unknown>): Promise<Cost[]> {
  const found: Cost[] = [];
  for (const total of [10, 60]) {
    await collectTo(total);
    await work();
    found.push(await under.cost(work));
  }
  return found;
}

describe('the search for what was not followed', () => {
  const queue = createMemoryQueue();

  test('reads no collection of which all was followed', async () => {
    expect(await costs(() => followPublished({ store: under.store, queue }))).toEqual([
      { operations: 1, documents: 0 },
      { operations: 1, documents: 0 },
    ]);
  });

  test('reads the others', async () => {
    for (const name of ['c-3', 'c-4']) {
      const former = await under.store.collections.find(collectionKey(name));
      const first = (former?.publication.sequence ?? 0) + 1;
      const [event] = await under.store.changes.read(collectionKey(name), first - 2, 1);
      if (event === undefined) throw new Error(`nothing is published in ${name}`);
      const block = { collection: collectionKey(name), first, events: [event], items: [], notices: [] };
      await publishBlock(under.store, { ...block, at: new Date() });
    }
    expect(await under.cost(() => followPublished({ store: under.store, queue }))).toEqual({
      operations: 1,
      documents: 2,
    });
    for (const name of ['c-3', 'c-4']) await under.publish(name);
    expect(await under.cost(() => followPublished({ store: under.store, queue }))).toEqual({
      operations: 1,
      documents: 0,
    });
  });
});

describe('the purge of the feeds', () => {
  test('reads no collection in which nothing has to go', async () => {
    const purge = feedPurge(under.clock, 10);
    expect(await costs(() => purge({ store: under.store }))).toEqual([
      { operations: 1, documents: 0 },
      { operations: 1, documents: 0 },
    ]);
    // Nor after all of them have been published once more.
    for (let place = 0; place < count; place += 1) {
      await under.edit(`c-${place}`, 'b', 'create');
      await under.publish(`c-${place}`);
    }
    expect(await under.cost(() => purge({ store: under.store }))).toEqual({ operations: 1, documents: 0 });
  });

  test('reads a collection once something has to go, and then no more', async () => {
    const purge = feedPurge(under.clock, 10);
    await under.collect('aged', { windowAge: 7200 });
    await under.edit('aged', 'a', 'create');
    await under.publish('aged');
    await purge({ store: under.store });
    under.pass(7200);
    await purge({ store: under.store });
    expect(await under.cost(() => purge({ store: under.store }))).toEqual({ operations: 1, documents: 0 });
    under.pass(1);
    const names = (await under.operations(() => purge({ store: under.store }))).map(({ name }) => name);
    expect(names).toContain('query items');
    expect((await under.found('aged')).publication).toMatchObject({ since: 1, sequence: 1 });
    expect(await under.cost(() => purge({ store: under.store }))).toEqual({ operations: 1, documents: 0 });
  });
});
