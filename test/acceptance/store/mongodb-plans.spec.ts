import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { TreeRefs } from '#core';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { mongodbUri, ownDatabase, withDatabase } from './mongodb.ts';
import { publishBlock } from '../../support/published-blocks.ts';
import {
  block,
  cachedCopy,
  collection,
  published,
  second,
  subscription,
  treeFeed,
  treeUrl,
  write,
} from './samples.ts';

const bKey = collectionKey('b');

let database: string;
let store: OpenStore;

/** Three collections of 500 items each, in folders of 10, every tenth without a position. */
beforeEach(async () => {
  database = ownDatabase();
  store = await openStore({ uri: mongodbUri(), database });
  const places = Array.from({ length: 500 }, (_, place) => place);
  for (const name of ['a', 'b', 'c']) {
    await store.items.compareAndSet(
      places.map((place) =>
        write(
          collectionKey(name),
          `item ${place}`,
          0,
          place % 10 === 0
            ? {}
            : { position: { parent: `folder ${Math.floor(place / 10)}`, key: `k${place % 10}` } },
        ),
      ),
    );
    await publishBlock(store, {
      ...block(collectionKey(name), 1, places.length),
      items: places.map((place) => published(`item ${place}`, place + 1)),
    });
  }
});
afterEach(async () => {
  await store.close();
  await withDatabase(database, (mongodb) => mongodb.dropDatabase());
});

type ReadCollection =
  | 'hubs'
  | 'items'
  | 'documents'
  | 'feeds'
  | 'subscriptions'
  | 'collections'
  | 'contents.files';

/** What the server looked at while something was read. */
async function plans(read: () => Promise<unknown>, kind: ReadCollection = 'items'): Promise<unknown[]> {
  return withDatabase(database, async (mongodb) => {
    await mongodb.command({ profile: 2 });
    await read();
    await mongodb.command({ profile: 0 });
    const reads = await mongodb
      .collection('system.profile')
      .find({ op: { $in: ['query', 'command'] }, ns: `${database}.${kind}` })
      .sort({ ts: 1 })
      .toArray();
    return reads.map(({ planSummary, keysExamined, docsExamined, hasSortStage = false }) => ({
      planSummary,
      keysExamined,
      docsExamined,
      hasSortStage,
    }));
  });
}

const byParent = 'IXSCAN { collection: 1, position.parent: 1, position.key: 1, _id: 1, deleted: 1 }';

test('the children of a parent are read by its index, in its order, and nothing else is', async () => {
  expect(await plans(() => store.items.children(bKey, ['folder 7']))).toEqual([
    { planSummary: byParent, keysExamined: 9, docsExamined: 9, hasSortStage: false },
  ]);
});

test('the children of several parents are merged in the order of the index', async () => {
  const [plan] = await plans(() => store.items.children(bKey, ['folder 7', 'folder 8', 'folder 9']));
  expect(plan).toMatchObject({ docsExamined: 27, hasSortStage: false });
  expect(plan).toMatchObject({ planSummary: expect.stringContaining(byParent) });
});

test('the order of children, and their first key, are read from the index alone', async () => {
  const plan = { planSummary: byParent, docsExamined: 0, hasSortStage: false };
  const found = await plans(async () => {
    await store.items.childIds(bKey, 'folder 7');
    await store.items.firstKey(bKey, 'folder 7');
  });
  expect(found).toEqual([
    { ...plan, keysExamined: 9 },
    { ...plan, keysExamined: 1 },
  ]);
});

test('which children there are, and which of them are deleted, is read from the index alone', async () => {
  const [plan] = await plans(() => store.items.childStates(bKey, ['folder 7', 'folder 8', 'folder 9']));
  expect(plan).toMatchObject({ planSummary: byParent, docsExamined: 0, hasSortStage: false });
});

test('a page of children begins where it is to, in the order of the index', async () => {
  const after = { key: 'k4', id: 'item 74' };
  const [first, next] = await plans(async () => {
    await store.items.listChildren(bKey, 'folder 7', { limit: 3 });
    await store.items.listChildren(bKey, 'folder 7', { after, limit: 3 });
  });
  expect(first).toMatchObject({ planSummary: byParent, docsExamined: 3, hasSortStage: false });
  expect(next).toMatchObject({ docsExamined: 3, hasSortStage: false });
  expect(next).toMatchObject({ planSummary: expect.stringContaining(byParent) });
});

test('places among live siblings are read and counted by the index alone', async () => {
  await store.items.compareAndSet([write(bKey, 'item 71', 1, { deleted: true })]);
  const reads: [() => Promise<unknown>, unknown][] = [
    [async () => (await store.items.placesBelow(bKey, 'folder 7', {})).length, 8],
    [
      async () =>
        (
          await store.items.placesBelow(bKey, 'folder 7', {
            from: 'k3',
            before: 'k9',
            except: itemId('item 75'),
            skip: 1,
            limit: 2,
          })
        ).map(({ id }) => id),
      ['item 74', 'item 76'],
    ],
    [() => store.items.countPlacesBelow(bKey, 'folder 7', { before: 'k5' }), 3],
    [() => store.items.hasChildren(bKey, 'folder 7'), true],
  ];
  for (const [read, expected] of reads) {
    expect(await read()).toEqual(expected);
    expect((await plans(read)).at(-1)).toMatchObject({ docsExamined: 0, hasSortStage: false });
  }
});

test('the positions of a collection are read in the order of its keys', async () => {
  const read = async (): Promise<number> => {
    let count = 0;
    for await (const _item of store.items.positions(bKey)) count += 1;
    return count;
  };
  expect(await read()).toBe(450);
  const [first] = await plans(read);
  expect(first).toMatchObject({ planSummary: 'IXSCAN { _id: 1 }', keysExamined: 500, hasSortStage: false });
});

test('when the first item above a sequence was published is read in one step of the index', async () => {
  expect(await plans(() => store.items.publishedAfter(bKey, 250))).toEqual([
    {
      planSummary: 'IXSCAN { collection: 1, sequence: 1, deleted: 1 }',
      keysExamined: 1,
      docsExamined: 1,
      hasSortStage: false,
    },
  ]);
});

test('the latest items are read by their index, in which newer tombstones are skipped', async () => {
  const gone = Array.from({ length: 300 }, (_, place) => `item ${place + 200}`);
  await store.items.compareAndSet(gone.map((id) => write(collectionKey('b'), id, 1, { deleted: true })));
  const items = gone.map((id, place) => published(id, 501 + place, 2));
  await publishBlock(store, { ...block(bKey, 501, gone.length), items });
  const found = await plans(async () => {
    for await (const _item of store.items.latest(bKey)) return;
  });
  // Measured, then read.
  const plan = {
    planSummary: 'IXSCAN { collection: 1, sequence: 1, deleted: 1 }',
    docsExamined: 100,
    hasSortStage: false,
  };
  // Of 300 tombstones only their keys.
  expect(found).toEqual([
    { ...plan, keysExamined: 400 },
    { ...plan, keysExamined: 401 },
  ]);
});

test('a page by time is read by its index, whatever the page before ended with', async () => {
  const after = { at: second(0), id: 'item 250' };
  for (const order of [
    { by: 'createdAt', isAscending: false },
    { by: 'updatedAt', isAscending: true },
  ] as const)
    for (const selection of [{}, { deleted: false }]) {
      const found = await plans(async () => {
        await store.items.listByTime(bKey, order, { limit: 5, ...selection });
        await store.items.listByTime(bKey, order, { after, limit: 5, ...selection });
      });
      const byTime = `IXSCAN { collection: 1, ${order.by}: 1, _id: 1, deleted: 1 }`;
      for (const plan of found.slice(-2)) {
        expect(plan).toMatchObject({ docsExamined: 5, hasSortStage: false });
        expect(plan).toMatchObject({ planSummary: expect.stringContaining(byTime) });
      }
    }
});

test('tombstones and items in conflict are listed by their indexes, and no other item is read', async () => {
  const changed = (from: number, change: Parameters<typeof write>[3]) =>
    store.items.compareAndSet([0, 1, 2].map((place) => write(bKey, `item ${from + place}`, 1, change)));
  await changed(100, { deleted: true });
  await changed(200, { conflictCount: 1 });
  const found = await plans(async () => {
    await store.items.list(bKey, { limit: 2, deleted: true });
    await store.items.list(bKey, { limit: 2, conflicts: true });
    await store.items.listConflicts({ limit: 2 });
    await store.items.listConflicts({ after: { collection: 'b', id: 'item 200' }, limit: 2 });
  });
  for (const plan of found) expect(plan).toMatchObject({ docsExamined: 2, hasSortStage: false });
});

test('the items of several collections are counted in their indexes alone', async () => {
  await store.items.compareAndSet([write(bKey, 'item 1', 1, { conflictCount: 1 })]);
  const found = await plans(() => store.items.counts([collectionKey('a'), bKey]));
  expect(found).toHaveLength(2);
  for (const plan of found) expect(plan).toMatchObject({ docsExamined: 0, hasSortStage: false });
});

test('what is due is listed in its index alone, in its order', async () => {
  for (let index = 0; index < 200; index += 1)
    await store.subscriptions.put(
      subscription(bKey, `s-${index}`, { nextFetchAt: second(index < 50 ? index : 500 + index) }),
    );
  for (let index = 0; index < 10; index += 1)
    await store.subscriptions.lease(bKey, subscriptionId(`s-${index}`), 'c', 60_000);
  const [list] = await plans(
    () =>
      store.subscriptions.listDue(second(100), {
        limit: 30,
        exceptHosts: ['x.example'],
        except: ['b/s-20'],
        exceptSlow: true,
      }),
    'subscriptions',
  );
  expect(list).toMatchObject({
    planSummary: 'IXSCAN { nextFetchAt: 1, host: 1, leasedUntil: 1, isSlow: 1, status: 1, _id: 1 }',
    docsExamined: 0,
    hasSortStage: false,
  });
  const found = await plans(
    () =>
      Promise.all(
        [20, 21].map((index) => store.subscriptions.findDue(bKey, subscriptionId(`s-${index}`), second(100))),
      ),
    'subscriptions',
  );
  expect(found.at(-1)).toMatchObject({ planSummary: 'IXSCAN { _id: 1 }', docsExamined: 2 });
});

test('collections that are not followed are read by their index, and no other', async () => {
  for (const name of ['a', 'b', 'c'])
    await store.collections.follow(collectionKey(name), { relayed: 500, since: 0 });
  for (let index = 0; index < 50; index += 1) {
    const key = collectionKey(`published-${index}`);
    if (index < 3) await publishBlock(store, block(key, 1, 1));
    else await store.collections.create(collection(key));
  }
  expect(await store.collections.unfollowed()).toHaveLength(3);
  expect(await plans(() => store.collections.unfollowed(), 'collections')).toEqual([
    { planSummary: 'IXSCAN { unfollowed: 1 }', keysExamined: 3, docsExamined: 3, hasSortStage: false },
  ]);
});

test('purges that are due are read by their index, and no collection besides', async () => {
  for (let index = 0; index < 50; index += 1) {
    const key = collectionKey(`purged-${index}`);
    await store.collections.create(collection(key));
    await store.collections.postponePurge(collection(key), index < 40 ? second(100 + index) : undefined);
  }
  const read = async (): Promise<number> => {
    let count = 0;
    for await (const page of store.collections.duePurges(second(104), 3)) count += page.length;
    return count;
  };
  expect(await read()).toBe(5);
  expect(await plans(read, 'collections')).toEqual(
    [3, 2].map((docsExamined) =>
      expect.objectContaining({
        planSummary: expect.stringContaining('IXSCAN { purgeAt: 1, _id: 1 }'),
        docsExamined,
        hasSortStage: false,
      }),
    ),
  );
});

test('which contents are there is read from the index alone', async () => {
  async function* body(text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  const digests: string[] = [];
  for (let index = 0; index < 30; index += 1)
    digests.push((await store.contents.write(bKey, body(`text ${index}`), { at: second(1) })).digest);
  const [plan] = await plans(() => store.contents.stored(bKey, digests.slice(0, 9)), 'contents.files');
  expect(plan).toMatchObject({ docsExamined: 0, hasSortStage: false });
});

test('of many subscriptions those whose feeds have markup are read, and no other is', async () => {
  const key = collectionKey('marked');
  const ids = Array.from({ length: 30 }, (_, index) => subscriptionId(`m-${index}`));
  const markup = ['<x:a xmlns:x="urn:example"/>'];
  await store.subscriptions.createAll(
    ids.map((id, index) => ({
      ...subscription(key, id),
      feed: { markup: index % 10 === 0 ? markup : [], aggregated: [] },
    })),
  );
  const [plan] = await plans(
    () => store.subscriptions.list(key, { limit: 100, hasMarkup: true }),
    'subscriptions',
  );
  expect(plan).toMatchObject({ planSummary: 'IXSCAN { collection: 1, _id: 1 }', docsExamined: 3 });
  expect(plan).toMatchObject({ hasSortStage: false });
});

test('the readers of a URL are counted in the index alone', async () => {
  const url = 'http://feeds.example/many';
  await store.subscriptions.createAll(
    ['x', 'y', 'z'].map((name) => subscription(collectionKey(name), 's', { url })),
  );
  await store.subscriptions.createAll([subscription(bKey, 's')]);
  const [plan] = await plans(() => store.subscriptions.countReaders(url), 'subscriptions');
  expect(plan).toMatchObject({ keysExamined: 3, docsExamined: 0 });
});

test('the subscriptions that match are read by their indexes, and no other is', async () => {
  const ids = Array.from({ length: 200 }, (_, index) => `s-${index}`);
  await store.subscriptions.createAll(ids.map((id) => subscription(bKey, id)));
  const [plan] = await plans(
    () => store.subscriptions.matching(bKey, subscriptionId('s-7'), 'http://feeds.example/s-9'),
    'subscriptions',
  );
  expect(plan).toMatchObject({ docsExamined: 2 });
});

test('what is due at hubs, and the callback of a token, is found by an index', async () => {
  const places = Array.from({ length: 100 }, (_, place) => place);
  for (const place of places)
    await store.hubs.add({
      collection: bKey,
      subscription: subscriptionId(`feed-${place}`),
      hub: 'https://hub.example/',
      topic: 'https://feeds.example/',
      token: `token-${place}`,
      secret: 'ab'.repeat(32),
      callback: `https://here.example/websub/token-${place}`,
      attempts: 0,
      nextAt: second(place),
      revision: 0,
    });
  const one = { keysExamined: 1, docsExamined: 1, hasSortStage: false };
  expect(await plans(() => store.hubs.find('token-7'), 'hubs')).toEqual([
    { ...one, planSummary: 'IXSCAN { token: 1 }' },
  ]);
  const due = await plans(() => store.hubs.takeDue(second(1000), second(2000)), 'hubs');
  expect(due.at(-1)).toEqual({ ...one, planSummary: 'IXSCAN { nextAt: 1 }' });
});

describe('of many subscriptions', () => {
  const lateBefore = second(100);
  const byState = 'IXSCAN { status: 1, result: 1, _id: 1 }';

  /** Two collections of 300 each: of every hundred ten fail, two of them by timeout, and five are paused. */
  beforeEach(async () => {
    for (const key of [collectionKey('a'), bKey])
      await store.subscriptions.createAll(
        Array.from({ length: 300 }, (_, index) =>
          subscription(key, `s-${index}`, {
            nextFetchAt: second(500),
            ...(index % 10 === 0
              ? {
                  failures: 1,
                  last: { at: second(1), outcome: 'failed', cause: index % 50 === 0 ? 'timeout' : 'dns' },
                }
              : { succeededAt: second(1) }),
            ...(index % 20 === 1 && { status: 'paused' }),
          }),
        ),
      );
  });

  test('a page of those in a state is read in its order, and no other is', async () => {
    for (const collection of [{}, { collection: bKey }]) {
      const filter = { ...collection, state: 'failing', lateBefore } as const;
      const [plan] = await plans(() => store.subscriptions.select(filter, { limit: 5 }), 'subscriptions');
      expect(plan).toMatchObject({ planSummary: byState, docsExamined: 5, hasSortStage: false });
    }
  });

  test('those that failed by a cause are read by it', async () => {
    const filter = { collection: bKey, state: 'failing', cause: 'timeout', lateBefore } as const;
    const [plan] = await plans(() => store.subscriptions.select(filter, { limit: 9 }), 'subscriptions');
    expect(plan).toMatchObject({
      planSummary: 'IXSCAN { last.cause: 1, status: 1, _id: 1 }',
      docsExamined: 6,
      hasSortStage: false,
    });
  });

  test('those of several collections are counted in two operations, in the index alone', async () => {
    const found = await plans(() => store.subscriptions.states([bKey], lateBefore), 'subscriptions');
    expect(found).toHaveLength(2);
    for (const plan of found) {
      expect(plan).toMatchObject({ docsExamined: 0 });
      expect((plan as { keysExamined: number }).keysExamined).toBeLessThanOrEqual(302);
    }
  });

  test('all are counted in three operations, in the index alone', async () => {
    const found = await plans(async () => {
      await store.subscriptions.counts({ lateBefore });
      await store.subscriptions.counts({ collection: bKey, lateBefore });
    }, 'subscriptions');
    expect(found).toHaveLength(6);
    for (const [of, keys] of [
      [found.slice(0, 3), 600],
      [found.slice(3), 310],
    ] as const) {
      const counted = of as { readonly keysExamined: number; readonly docsExamined: number }[];
      for (const { keysExamined, docsExamined } of counted) {
        expect(docsExamined).toBe(0);
        expect(keysExamined).toBeLessThanOrEqual(keys);
      }
    }
  });
});

describe('in a tree of feeds', () => {
  /**
   * Every hundredth item links to a feed, every tenth to three files; those of `b` have tombstones with the
   * same.
   */
  beforeEach(async () => {
    for (const name of ['b', 'c']) {
      const branchOf = (place: number): TreeRefs => ({
        guid: `guid ${place}`,
        ...(place % 100 === 0 && { nested: 'news' }),
        files: place % 10 === 0 ? ['shared', `file ${place}`, `image ${place}`] : [],
      });
      await store.items.compareAndSet(
        Array.from({ length: 500 }, (_, place) =>
          write(collectionKey(name), `root:${place}`, 0, {
            branch: branchOf(place),
            position: { parent: 'root', key: 'a' },
          }),
        ),
      );
      await store.items.compareAndSet(
        Array.from({ length: 500 }, (_, place) =>
          write(collectionKey(name), `gone:${place}`, 0, {
            deleted: true,
            branch: branchOf(place),
            position: { parent: 'gone', key: 'a' },
          }),
        ),
      );
    }
  });

  test('the items that link to a feed are read by its index, and nothing else is', async () => {
    expect(await plans(() => store.items.linking(bKey, ['news']))).toEqual([
      {
        planSummary: 'IXSCAN { collection: 1, branch: 1, _id: 1 }',
        keysExamined: 5,
        docsExamined: 5,
        hasSortStage: false,
      },
    ]);
  });

  test('the items with a guid are read by its index, in the order of their ids', async () => {
    expect(await plans(() => store.items.withGuid(bKey, 'guid 7'))).toEqual([
      {
        planSummary: 'IXSCAN { collection: 1, branch: 1, _id: 1 }',
        keysExamined: 1,
        docsExamined: 1,
        hasSortStage: false,
      },
    ]);
  });

  test('of the items only those that refer to one of the contents are read, to count them', async () => {
    expect(await store.items.referring(bKey, ['shared', 'file 10'])).toEqual(
      new Map([
        ['shared', 50],
        ['file 10', 1],
      ]),
    );
    const [plan] = await plans(() => store.items.referring(bKey, ['file 10', 'image 10', 'file 20', 'none']));
    expect(plan).toMatchObject({
      planSummary: 'IXSCAN { collection: 1, branch: 1, _id: 1 }',
      docsExamined: 2,
    });
  });

  test('what is in the cache with a digest is counted in the index alone', async () => {
    await recordDocuments();
    const [plan] = await plans(() => store.documents.referring(bKey, ['digest 3', 'digest 5']), 'documents');
    expect(plan).toMatchObject({ planSummary: 'IXSCAN { collection: 1, copy.digest: 1 }', docsExamined: 0 });
  });

  test('what a fetch has dropped is read by its index, in the order of the urls', async () => {
    await recordDocuments();
    await store.documents.drop(
      bKey,
      'm1',
      [7, 8, 9].map((place) => treeUrl(`${place}`)),
    );
    expect(await plans(() => store.documents.dropped(bKey, 'm1', 10), 'documents')).toEqual([
      {
        planSummary: 'IXSCAN { collection: 1, dropped: 1, _id: 1 }',
        keysExamined: 3,
        docsExamined: 3,
        hasSortStage: false,
      },
    ]);
  });

  test('a page of documents is read in the order of their keys', async () => {
    await recordDocuments();
    const [plan] = await plans(
      () => store.documents.list(bKey, { after: treeUrl('5'), limit: 10 }),
      'documents',
    );
    expect(plan).toMatchObject({
      planSummary: 'IXSCAN { _id: 1 }',
      keysExamined: 10,
      docsExamined: 10,
      hasSortStage: false,
    });
  });

  test(
    'the feeds whose heads are pending are read by their index, in the order of their ids, and so are ' +
      'the collections that have any',
    async () => {
      const ids = Array.from({ length: 100 }, (_, place) => `feed-${place}`);
      for (const name of ['a', 'b', 'c'])
        await Promise.all(ids.map((id) => store.feeds.put(treeFeed(collectionKey(name), id))));
      for (const name of ['b', 'c'])
        await Promise.all(
          ids
            .slice(0, 5)
            .map((id) => store.feeds.put({ ...treeFeed(collectionKey(name), id), title: 'new' })),
        );
      expect(await plans(() => store.feeds.pending(bKey, 10), 'feeds')).toEqual([
        {
          planSummary: 'IXSCAN { collection: 1, pending: 1, id: 1 }',
          keysExamined: 5,
          docsExamined: 5,
          hasSortStage: false,
        },
      ]);
      const [, plan] = await plans(() => store.feeds.collectionsPending(), 'feeds');
      expect(plan).toMatchObject({
        planSummary: 'DISTINCT_SCAN { collection: 1, pending: 1, id: 1 }',
        keysExamined: 2,
      });
    },
  );

  /** Three collections of 100 documents each, ten with each digest. */
  async function recordDocuments(): Promise<void> {
    const places = Array.from({ length: 100 }, (_, place) => place);
    for (const name of ['a', 'b', 'c']) {
      await Promise.all(
        places.map((place) =>
          store.documents.record(
            collectionKey(name),
            treeUrl(`${place}`),
            { manifest: 'm0', kind: 'arrived', bytes: 7 },
            cachedCopy(`digest ${place % 10}`),
          ),
        ),
      );
    }
  }
});
