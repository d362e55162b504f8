import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { feedsyncDialect, readItem } from '#feedsync';
import { collectionKey, itemId, sharedContent, subscriptionId } from '#core';
import { editItem } from '#items';
import { FeedScanner, fieldsOfPayload, payloadFromFields } from '#xml';
import { sampleCollection, sampleSubscription } from '#in-memory';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';
import { CountedStore } from '../../support/growth/counted-store.ts';

const day = 86_400;
const settings = { windowItems: 5, windowLimit: 20, expiresAfter: day, cleanUpHistory: false };

let under: CountedStore;
let pipeline: PipelineUnderTest;
let url: string;
beforeAll(async () => {
  under = await CountedStore.open();
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  pipeline = await PipelineUnderTest.open({ PORT: port, PUBLIC_URL: url, PUBLISH_BLOCK: '10' });
  await pipeline.start('gateway', 'fetcher', 'merger', 'publisher');
});
afterAll(async () => {
  await pipeline.close();
  await under.close();
});

test('after a bulk load the partial feed holds what its limit says, however much that was', async () => {
  const held: number[] = [];
  for (const count of [50, 200]) {
    const name = `of-${count}`;
    await under.collect(name, settings);
    await Promise.all(
      Array.from({ length: count }, (_, place) => under.edit(name, `item-${place}`, 'create')),
    );
    await under.publish(name);
    const { key, publication } = await under.found(name);
    let items = 0;
    for await (const _item of under.store.items.published(key, publication.since)) items += 1;
    held.push(items);
  }
  expect(held).toEqual([20, 20]);
});

/** A subscriber that does as FeedSync 4.1 says, with the cached `until` alone. */
class Subscriber {
  readonly titles = new Map<string, string>();
  resyncs = 0;
  #until: string | undefined;

  async poll(address = `${url}/feeds/source.atom`): Promise<void> {
    const scanner = new FeedScanner(feedsyncDialect);
    const fragments = scanner.write(await (await fetch(address)).text());
    const { since = '', until = '', related = [] } = scanner.end().sharing ?? {};
    const complete = related.find(({ type }) => type === 'complete')?.link;
    const isNew = this.#until === undefined;
    if (complete !== undefined && (isNew || since > (this.#until ?? ''))) {
      if (!isNew) this.resyncs += 1;
      this.titles.clear();
      await this.poll(complete);
    }
    this.#until = until;
    for (const fragment of fragments) {
      const read = readItem(fragment);
      if (read.kind !== 'item') throw new Error(`not an item: ${fragment.xml}`);
      const { sync, data } = read.item;
      if (sync.deleted) this.titles.delete(sync.id);
      else this.titles.set(sync.id, fieldsOfPayload(data).title ?? '');
    }
  }
}

test('subscribers miss nothing although `since` moves before `expires`', async () => {
  const { store } = pipeline;
  const [source, copy] = [collectionKey('source'), collectionKey('copy')];
  await store.collections.create(
    sampleCollection({
      key: source,
      title: 'Source',
      endpoint: 'test:source',
      createdAt: new Date(),
      settings,
    }),
  );
  const titles = new Map<string, string>();
  const edit = async (id: string, action: 'create' | 'update' | 'delete', title: string): Promise<void> => {
    const collection = await store.collections.find(source);
    if (collection === undefined) throw new Error('there is no source');
    const payload = payloadFromFields('atom', { title });
    await editItem(
      { store, now: () => new Date(), publicUrl: url },
      collection,
      itemId(id),
      action === 'create' ? { action, id: itemId(id), payload } : { action, payload },
    );
    if (action === 'delete') titles.delete(id);
    else titles.set(id, title);
  };
  const load = (prefix: string, count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, place) => edit(`${prefix}-${place}`, 'create', prefix)));
  const publishedSince = async (): Promise<number> => {
    await pipeline.published(source);
    return (await store.collections.find(source))?.publication.since ?? 0;
  };

  const subscriber = new Subscriber();
  const liveCopies = async (): Promise<Map<string, string>> => {
    const items = await store.items.list(copy, { limit: 1000 });
    return new Map(
      items
        .filter(({ deleted }) => !deleted)
        .map(({ id, content }) => [id, fieldsOfPayload(sharedContent(content).data).title ?? '']),
    );
  };
  const expectAllThere = async (): Promise<void> => {
    await subscriber.poll();
    expect(subscriber.titles).toEqual(titles);
    await pipeline.fetch('copy');
    expect(await liveCopies()).toEqual(titles);
  };

  await load('first', 10);
  expect(await publishedSince()).toBe(0);
  await pipeline.collect('copy');
  await store.subscriptions.put(
    sampleSubscription({
      collection: copy,
      id: subscriptionId('peer'),
      url: `${url}/feeds/source.atom`,
      interval: { minimum: 3600, maximum: day },
      createdAt: new Date(),
    }),
  );
  await expectAllThere();

  // More than the window takes, with edits and deletions that it no longer shows.
  await edit('first-0', 'update', 'edited');
  await edit('first-1', 'delete', '');
  await publishedSince();
  await load('second', 60);
  expect(await publishedSince()).toBeGreaterThan(12);
  await expectAllThere();
  expect(subscriber.resyncs).toBe(1);

  // As much as it takes: the partial feed is enough.
  await edit('second-0', 'update', 'edited');
  await edit('second-1', 'delete', '');
  await load('third', 10);
  await publishedSince();
  await expectAllThere();
  expect(subscriber.resyncs).toBe(1);
  const resynced = (await pipeline.published(copy)).filter(
    ({ type }) => type === 'feedmesh.subscription.resynced.v1',
  );
  expect(resynced).toHaveLength(1);
});
