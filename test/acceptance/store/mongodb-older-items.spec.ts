import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { collectionKey } from '#core';
import { mongodbUri, ownDatabase, withDatabase } from './mongodb.ts';
import { published, second, write } from './samples.ts';

const tasks = collectionKey('tasks');

let database: string;
let store: OpenStore;

/** Items as they were kept before the time of their publication was. */
beforeEach(async () => {
  database = ownDatabase();
  store = await openStore({ uri: mongodbUri(), database });
  await store.items.compareAndSet([
    write(collectionKey('tasks'), 'a'),
    write(collectionKey('tasks'), 'b', 0, { deleted: true }),
    write(collectionKey('tasks'), 'c'),
  ]);
  await store.items.markPublished(
    tasks,
    [published('a', 1), published('b', 2), published('c', 3)],
    second(9),
  );
  await withDatabase(database, (mongodb) =>
    mongodb.collection('items').updateMany({ sequence: { $lt: 3 } }, { $unset: { publishedAt: '' } }),
  );
});
afterEach(async () => {
  await store.close();
  await withDatabase(database, (mongodb) => mongodb.dropDatabase());
});

test('an item without a time of publication leaves the window like one published long ago', async () => {
  expect(await store.items.windowStart(tasks, { since: 0, items: 0, keptSince: second(8) })).toMatchObject({
    since: 2,
  });
  expect(
    await store.items.windowStart(tasks, {
      since: 0,
      items: 10,
      keptSince: second(8),
      leftBefore: second(8),
    }),
  ).toMatchObject({ since: 2 });
  expect(await store.items.windowStart(tasks, { since: 0, items: 10, keptSince: second(8) })).toMatchObject({
    since: 0,
  });
});

test('a tombstone without a time of publication has expired', async () => {
  expect(await store.items.expiredTombstones(tasks, second(8), 10)).toEqual([
    { id: 'b', revision: 1, sequence: 2 },
  ]);
});
