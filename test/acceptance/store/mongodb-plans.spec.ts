import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { mongodbUri, ownDatabase, withDatabase } from './mongodb.ts';
import { published, second, write } from './samples.ts';

let database: string;
let store: OpenStore;

/** Three collections of 500 items each, in folders of 10, every tenth without a position. */
beforeEach(async () => {
  database = ownDatabase();
  store = await openStore({ uri: mongodbUri(), database });
  const places = Array.from({ length: 500 }, (_, place) => place);
  for (const name of ['a', 'b', 'c']) {
    await store.items.compareAndSet(places.map((place) => write(name, `item ${place}`, 0, place % 10 === 0 ? {} : { position: { parent: `folder ${Math.floor(place / 10)}`, key: `k${place % 10}` } })));
    await store.items.markPublished(name, places.map((place) => published(`item ${place}`, place + 1)), second(1));
  }
});
afterEach(async () => {
  await store.close();
  await withDatabase(database, (mongodb) => mongodb.dropDatabase());
});

/** What the server looked at while something was read. */
async function plans(read: () => Promise<unknown>): Promise<unknown[]> {
  return withDatabase(database, async (mongodb) => {
    await mongodb.command({ profile: 2 });
    await read();
    await mongodb.command({ profile: 0 });
    const reads = await mongodb.collection('system.profile').find({ op: 'query', ns: `${database}.items` }).sort({ ts: 1 }).toArray();
    return reads.map(({ planSummary, keysExamined, docsExamined, hasSortStage = false }) => ({ planSummary, keysExamined, docsExamined, hasSortStage }));
  });
}

const byParent = 'IXSCAN { collection: 1, position.parent: 1, position.key: 1, _id: 1 }';

test('the children of a parent are read by its index, in its order, and nothing else is', async () => {
  expect(await plans(() => store.items.children('b', ['folder 7']))).toEqual([{ planSummary: byParent, keysExamined: 9, docsExamined: 9, hasSortStage: false }]);
});

test('the children of several parents are merged in the order of the index', async () => {
  const [plan] = await plans(() => store.items.children('b', ['folder 7', 'folder 8', 'folder 9']));
  expect(plan).toMatchObject({ docsExamined: 27, hasSortStage: false });
  expect(plan).toMatchObject({ planSummary: expect.stringContaining(byParent) });
});

test('the positions of a collection are read in the order of its keys', async () => {
  const read = async (): Promise<number> => {
    let count = 0;
    for await (const _item of store.items.positions('b')) count += 1;
    return count;
  };
  expect(await read()).toBe(450);
  const [first] = await plans(read);
  expect(first).toMatchObject({ planSummary: 'IXSCAN { _id: 1 }', keysExamined: 500, hasSortStage: false });
});

test('when the first item above a sequence was published is read in one step of the index', async () => {
  expect(await plans(() => store.items.publishedAfter('b', 250))).toEqual([{ planSummary: 'IXSCAN { collection: 1, sequence: 1 }', keysExamined: 1, docsExamined: 1, hasSortStage: false }]);
});
