import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { collectionKey, itemId } from '#core';
import { publishItems } from '../../support/published-blocks.ts';
import { mongodbUri, ownDatabase, withDatabase } from './mongodb.ts';
import { content, published, second, write } from './samples.ts';

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
  const all = [published('a', 1), published('b', 2), published('c', 3)];
  await publishItems(store, tasks, all, second(9));
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

test('an item whose content is plain JSON, and whose version is an object, is read', async () => {
  const version = { updates: 1, history: { sequence: 1, when: '2026-01-01T00:00:00Z', by: 'A' } };
  const announced = { revision: 1, deleted: false, conflictCount: 0 };
  await withDatabase(database, (mongodb) =>
    mongodb
      .collection<{ _id: string }>('items')
      .updateOne(
        { _id: 'tasks/c' },
        { $set: { content: JSON.stringify(content('c')), version, announced, pending: true } },
      ),
  );
  const [item] = (await store.items.load(tasks, [itemId('c')])).values();
  expect(item).toMatchObject({ content: content('c'), version, announced });
  expect(await store.items.pending(tasks, 10)).toMatchObject([{ id: 'c', version, announced }]);
  const latest = [];
  for await (const read of store.items.latest(tasks)) latest.push(read);
  expect(latest[0]).toMatchObject({ id: 'c', content: content('c'), version });
  const feed = [];
  for await (const read of store.items.published(tasks, 2)) feed.push(read);
  expect(feed).toMatchObject([{ id: 'c', content: content('c') }]);
});
