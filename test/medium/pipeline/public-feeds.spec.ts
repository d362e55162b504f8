import { beforeAll, expect, test } from '@jest/globals';
import { collectionKey, itemId, sharedContent, subscriptionId } from '#core';
import { freePort } from '#databases';
import { editItem } from '#items';
import { sampleCollection, sampleSubscription } from '#in-memory';
import { fieldsOfPayload, payloadFromFields } from '#xml';
import { shapes } from '../../plain-feeds/plain-feed.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const pipeline = usePipeline();
let address: string;

beforeAll(async () => {
  const port = `${await freePort()}`;
  address = `http://127.0.0.1:${port}`;
  await pipeline.start('fetcher', 'merger', 'publisher');
  await pipeline.startWith({ PORT: port, PUBLIC_URL: address }, 'gateway');
});

const [region, copy] = [collectionKey('region'), collectionKey('copy')];
const feeds = shapes().slice(0, 10);

async function subscribe(collection: typeof region, id: string, url: string): Promise<void> {
  const interval = { minimum: 3600, maximum: 86_400 };
  const given = { collection, id: subscriptionId(id), url, interval, createdAt: new Date() };
  await pipeline.store.subscriptions.put(sampleSubscription(given));
  await until(
    () => pipeline.store.subscriptions.find(collection, subscriptionId(id)),
    (found) => found?.last !== undefined && found.manifest === undefined,
  );
}

async function titles(collection: typeof region): Promise<string[]> {
  const items = await pipeline.store.items.list(collection, { limit: 1000 });
  return items.map(({ content }) => fieldsOfPayload(sharedContent(content).data).title ?? '').toSorted();
}

// As docs/public-feeds.md tells.
test('a team mirrors ten public feeds, corrects an item, and a second team subscribes', async () => {
  for (const [key, title] of [
    [region, 'The region'],
    [copy, 'A copy'],
  ] as const)
    await pipeline.store.collections.create(
      sampleCollection({ key, title, endpoint: `test:${title.replace(' ', '-')}`, createdAt: new Date() }),
    );
  expect(feeds).toHaveLength(10);
  for (const { name, feed } of feeds) {
    pipeline.feeds.serve(`/${name}`, feed);
    await subscribe(region, name, pipeline.feeds.url(`/${name}`));
  }
  const expected = feeds.flatMap(({ items }) => items.map(({ title }) => title)).toSorted();
  expect(await titles(region)).toEqual(expected);

  const [item] = await pipeline.store.items.list(region, { limit: 1 });
  const collection = await pipeline.store.collections.find(region);
  if (item === undefined || collection === undefined) throw new Error('nothing was mirrored');
  await editItem(
    { store: pipeline.store, now: () => new Date(), publicUrl: address },
    collection,
    itemId(item.id),
    { action: 'update', payload: payloadFromFields('atom', { title: 'Corrected' }) },
  );
  await pipeline.published(region);

  await subscribe(copy, 'region', `${address}/feeds/region.atom`);
  expect(await titles(copy)).toEqual(await titles(region));
  expect(await titles(copy)).toContain('Corrected');
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  expect(ids(await pipeline.store.items.list(copy, { limit: 1000 }))).toEqual(
    ids(await pipeline.store.items.list(region, { limit: 1000 })),
  );
});
