import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryEventStream, createMemoryQueue, createMemoryStore, sampleCollection } from '#in-memory';
import { requestPublish } from '#contracts';
import { collectionKey, itemId } from '#core';
import type { EventStream, Store } from '#core';
import { editItem } from '#items';
import { payloadFromFields } from '#xml';
import { publishCollection } from './publish-collection.ts';

const key = collectionKey('todo');
const publicUrl = 'http://here.example';
const time = new Date('2026-01-01T00:00:00Z');

let store: Store;
let queue: ReturnType<typeof createMemoryQueue>;
/** Milliseconds that were waited for, and the items of each block, in their order. */
let happened: (number | string[])[];
/** Items that are requested while a block is relayed, and while another is waited for. */
let during: { relay: string[]; wait: string[] };

beforeEach(async () => {
  const clock = { now: () => time };
  [store, queue, happened] = [createMemoryStore({ clock }), createMemoryQueue(), []];
  await store.collections.create(sampleCollection({ key, createdAt: time }));
  const collection = await store.collections.find(key);
  if (collection === undefined) throw new Error('there is no collection');
  for (const id of ['a', 'b', 'c', 'd'].map(itemId))
    await editItem({ store, now: () => time, publicUrl }, collection, id, {
      action: 'create',
      id,
      payload: payloadFromFields('atom', { title: id }),
    });
});

const request = (ids: readonly string[]): Promise<void> =>
  queue.send(ids.length === 0 ? [] : [requestPublish(key, ids.map(itemId))]);

async function publish(block = 500): Promise<void> {
  const events = createMemoryEventStream();
  const stream: EventStream = {
    async append(collection, changes) {
      await events.append(collection, changes);
      happened.push(changes.map(({ subject }) => subject));
      await request(during.relay.splice(0));
    },
  };
  const clock = {
    now: () => time,
    async wait(milliseconds: number) {
      happened.push(milliseconds);
      await request(during.wait.splice(0));
    },
  };
  const ports = { store, stream, clock, publicUrl, backlog: queue, holder: 'one', gather: () => 20 };
  await publishCollection(ports, { block, lease: 15_000, retention: 1000 }, { version: 1, collection: key });
}

test('what is requested while a block is published waits for more', async () => {
  during = { relay: ['b'], wait: ['c', 'd'] };
  await request(['a']);
  await publish();
  expect(happened).toEqual([['a'], 20, ['b', 'c', 'd'], 20]);
});

test('behind a block of several the next one is waited for', async () => {
  during = { relay: [], wait: ['c'] };
  await request(['a', 'b']);
  await publish();
  expect(happened).toEqual([['a', 'b'], 20, ['c']]);
});

test('nothing waits after a single edit, or if there is enough for a block', async () => {
  during = { relay: [], wait: [] };
  await request(['a']);
  await publish();
  await request(['b', 'c']);
  await publish(1);
  expect(happened).toEqual([['a'], ['b'], ['c']]);
});
