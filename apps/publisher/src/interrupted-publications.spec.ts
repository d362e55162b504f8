import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryEventStream, createMemoryQueue, createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, itemId } from '#core';
import type { Store } from '#core';
import { editItem } from '#items';
import { payloadFromFields } from '#xml';
import { publishCollection } from './publish-collection.ts';
import { followPublished, publishPending } from './reconcile-publications.ts';

const key = collectionKey('todo');
const publicUrl = 'http://here.example';

const time = new Date('2026-01-01T00:00:00Z');
const clock = { now: () => time, wait: () => Promise.resolve() };
let store: Store;
let queue: ReturnType<typeof createMemoryQueue>;
let stream: ReturnType<typeof createMemoryEventStream>;

beforeEach(async () => {
  [store, queue, stream] = [createMemoryStore({ clock }), createMemoryQueue(), createMemoryEventStream()];
  await store.collections.create(
    sampleCollection({
      key,
      createdAt: time,
      settings: { expiresAfter: 3600 },
    }),
  );
  const collection = await store.collections.find(key);
  if (collection === undefined) throw new Error('there is no collection');
  const ids = ['a', 'b'].map(itemId);
  for (const id of ids)
    await editItem({ store, now: () => time, publicUrl }, collection, id, {
      action: 'create',
      id,
      payload: payloadFromFields('atom', { title: id }),
    });
});

function publish(ports: { store?: Store; stream?: typeof stream } = {}): Promise<void> {
  return publishCollection(
    { store, stream, clock, publicUrl, ...ports },
    { block: 500, retention: 1000 },
    { version: 1, collection: key },
  );
}

/** Delivers what the searches have requested. */
async function searchAndDeliver(): Promise<number> {
  await publishPending({ store, queue });
  await followPublished({ store, queue });
  let delivered = 0;
  while (await queue.deliver({ publish: () => publish() })) delivered += 1;
  return delivered;
}

/** A store with one method of a port replaced. */
function replaced<Port extends keyof Store, Name extends keyof Store[Port]>(
  base: Store,
  port: Port,
  name: Name,
  method: Store[Port][Name],
): Store {
  const changed = new Proxy(base[port], {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property === name) return method;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...base, [port]: changed };
}

const dies = (): never => {
  throw new Error('the publisher dies');
};

const relayed = (): string[] => stream.events.map(({ subject }) => subject).toSorted();

/** Publishes a block and dies. */
async function publishAndDie(...publication: Parameters<Store['collections']['publish']>): Promise<never> {
  await store.collections.publish(...publication);
  return dies();
}

test.each([
  ['before its block is published', () => ({ store: replaced(store, 'collections', 'publish', dies) })],
  ['after that', () => ({ store: replaced(store, 'collections', 'publish', publishAndDie) })],
  ['before the stream', () => ({ store, stream: { ...stream, append: dies } })],
  ['behind the stream', () => ({ store: replaced(store, 'collections', 'follow', dies) })],
])('what a publisher leaves that dies %s is found, and finished once', async (_when, dying) => {
  await expect(publish(dying())).rejects.toThrow('the publisher dies');
  expect(await searchAndDeliver()).toBe(1);
  expect(relayed()).toEqual(['a', 'b']);
  expect((await store.collections.find(key))?.publication).toMatchObject({ sequence: 2, relayed: 2 });
  expect(await searchAndDeliver()).toBe(0);
});

test('a publisher that was paused publishes nothing that another one has published meanwhile', async () => {
  const slow = async (...publication: Parameters<Store['collections']['publish']>): Promise<boolean> => {
    await publish();
    return store.collections.publish(...publication);
  };
  await publish({ store: replaced(store, 'collections', 'publish', slow) });
  expect(relayed()).toEqual(['a', 'b']);
  expect((await store.collections.find(key))?.publication).toMatchObject({ sequence: 2, relayed: 2 });
});

test('what was published while an endpoint was renewed is composed again with the new one', async () => {
  let isRenewed = false;
  const renewing = async (...publication: Parameters<Store['collections']['publish']>): Promise<boolean> => {
    if (!isRenewed) await store.collections.renewEndpoint(key, 'test:here', 'test:there');
    isRenewed = true;
    return store.collections.publish(...publication);
  };
  await publish({ store: replaced(store, 'collections', 'publish', renewing) });
  expect(stream.events.map(({ source }) => source)).toEqual([
    'urn:feedmesh:test:there',
    'urn:feedmesh:test:there',
  ]);
});
