import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionKey, itemId, subscriptionId } from '#core';
import { sweep } from '../../../apps/merger/src/sweep.ts';
import { StoreUnderTest } from './store-under-test.ts';

const peer = subscriptionId('peer');
const manifest = 'the-resync';

let under: StoreUnderTest;
beforeAll(async () => {
  under = await StoreUnderTest.open();
});
afterAll(() => under.close());

/** Makes a collection of so many items, every other one of which the resync has not brought. */
async function resynced(name: string, count: number): Promise<void> {
  const { store, time } = under;
  const collection = collectionKey(name);
  await under.collect(name);
  await store.subscriptions.put({
    collection,
    id: peer,
    url: 'http://there.example/feed',
    status: 'active',
    interval: { minimum: 3600, maximum: 86_400 },
    cursor: {},
    cursorVersion: 0,
    nextFetchAt: time,
    nextFetchReason: 'it is new',
    failures: 0,
    createdAt: time,
  });
  await store.subscriptions.lease(collection, peer, manifest, 600_000);
  await under.edit(name, 'template', 'create');
  const [template] = (await store.items.load(collection, [itemId('template')])).values();
  if (template === undefined) throw new Error('there is no template');
  const { sequence: _sequence, revision: _revision, ...rest } = template;
  for (let start = 0; start < count; start += 500)
    await store.items.compareAndSet(
      Array.from({ length: Math.min(500, count - start) }, (_, place) => {
        const number = start + place;
        const fetchPass = number % 2 === 0 ? `${manifest}.complete` : 'an-earlier-one.feed';
        return {
          expected: 0,
          item: {
            ...rest,
            id: itemId(`item-${String(number).padStart(6, '0')}`),
            // As if another endpoint had made it.
            content: JSON.parse(
              JSON.stringify(rest.content).replaceAll('test:here', 'test:there'),
            ) as typeof rest.content,
            subscription: peer,
            sources: [{ subscription: peer, digest: 'd', fetchPass }],
          },
        };
      }),
    );
}

test('the sweep after a resync reads in proportion to the items', async () => {
  const documents: number[] = [];
  for (const count of [400, 3200]) {
    const name = `of-${count}`;
    await resynced(name, count);
    const { discarded, ...cost } = await swept(name);
    expect(discarded).toBe(count / 2);
    documents.push(cost.documents / count);
  }
  const [few = 0, many = 0] = documents;
  expect(many).toBeLessThan(few * 1.1);
});

async function swept(name: string): Promise<{ documents: number; discarded: number | undefined }> {
  const collection = await under.found(name);
  let discarded: number | undefined;
  const { documents } = await under.cost(async () => {
    discarded = await sweep(under.store, collection, {
      id: manifest,
      collection: collection.key,
      subscription: peer,
      openedAt: under.time,
      touchedAt: under.time,
      done: [],
      rejected: 0,
    });
  });
  return { documents, discarded };
}
