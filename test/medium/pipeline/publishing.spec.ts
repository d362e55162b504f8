import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { editItem } from '#items';
import { changeEvent, formatCursor } from '#contracts';
import type { ChangeEvent } from '#contracts';
import { collectionKey, itemId } from '#core';
import type { EventStream, Publication } from '#core';
import { openEventStream } from '#queue';
import { systemClock } from '#service';
import { publishCollection } from '../../../apps/publisher/src/publish-collection.ts';
import type { PublishPorts, PublishSettings } from '../../../apps/publisher/src/publish-ports.ts';
import { entry, feed } from './feed.ts';
import { PipelineUnderTest, summary } from './pipeline-under-test.ts';
import { replaced } from '../../support/replaced.ts';
import { until } from '../../support/until.ts';

const lateKey = collectionKey('late');
const pausedKey = collectionKey('paused');
const crowd = collectionKey('crowd');
const many = collectionKey('many');

let pipeline: PipelineUnderTest;
let stream: ReturnType<typeof openEventStream>;

beforeAll(async () => {
  pipeline = await PipelineUnderTest.open({ PUBLISH_BLOCK: '7', PUBLISH_PURGE_MS: '20' });
  stream = openEventStream({ redisUrl: pipeline.redisUrl });
});

afterAll(async () => {
  await stream.close();
  await pipeline.close();
});

/** One run of one publisher, with what differs from the real ports and from settings that suit most. */
function publish(
  collection: string,
  ports: Partial<PublishPorts> = {},
  settings: Partial<PublishSettings> = {},
): Promise<void> {
  const real = {
    store: pipeline.store,
    stream,
    clock: systemClock,
    publicUrl: 'http://here.example',
  };
  return publishCollection(
    { ...real, ...ports },
    { block: 5, retention: 100_000, ...settings },
    { version: 1, collection: collectionKey(collection) },
  );
}

/** A clock that stands still. */
const stopped = { ...systemClock, now: () => new Date('2026-01-02T00:00:00Z') };

/** A step that waits until it is let go, and reports when it has been reached. */
function heldUp() {
  let go = (): void => {};
  let arrive = (): void => {};
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    reached,
    go,
    step: () => {
      arrive();
      return released;
    },
  };
}

/** The log has every sequence once and in order, and the stream says the same. */
async function expectInOrder(collection: string, events: readonly ChangeEvent[]): Promise<void> {
  expect(events.map(({ sequence }) => sequence)).toEqual(
    events.map((_event, place) => formatCursor(place + 1)),
  );
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  for (const event of events) expect(changeEvent.parse(event)).toEqual(event);
  expect(await pipeline.relayed(collection)).toEqual(events);
}

const ids = Array.from({ length: 12 }, (_, index) => `item-${index}`);

async function collectItems(collection: string, items: readonly string[] = ids): Promise<void> {
  await pipeline.collect(collection);
  for (const id of items) await pipeline.create(collection, id);
}

async function publicationOf(collection: string): Promise<Publication | undefined> {
  return (await pipeline.store.collections.find(collectionKey(collection)))?.publication;
}

async function deleteItem(collection: string, id: string): Promise<void> {
  const found = await pipeline.store.collections.find(collectionKey(collection));
  if (found === undefined) throw new Error(`there is no collection ${collection}`);
  await editItem(
    { store: pipeline.store, now: stopped.now, publicUrl: 'http://here.example' },
    found,
    itemId(id),
    {
      action: 'delete',
    },
  );
}

describe('a publisher', () => {
  test('that was paused before it publishes a block publishes nothing that another one has', async () => {
    await collectItems('paused');
    const pause = heldUp();
    const collections = replaced(pipeline.store.collections, 'publish', async (...publication) => {
      await pause.step();
      return pipeline.store.collections.publish(...publication);
    });
    const paused = publish('paused', { store: { ...pipeline.store, collections } });
    await pause.reached;
    await publish('paused');
    const published = await pipeline.published(pausedKey);
    const collection = await pipeline.store.collections.find(pausedKey);

    pause.go();
    await paused;
    expect(await pipeline.published(pausedKey)).toEqual(published);
    expect(await pipeline.store.collections.find(pausedKey)).toEqual(collection);
    await expectInOrder('paused', published);
    expect(published.map(({ subject }) => subject).toSorted()).toEqual(ids.toSorted());
  });

  test('that was paused behind the stream cannot put the publication back', async () => {
    await collectItems('late');
    const pause = heldUp();
    const collections = replaced(pipeline.store.collections, 'follow', async (...followed) => {
      await pause.step();
      await pipeline.store.collections.follow(...followed);
    });
    const paused = publish('late', { store: { ...pipeline.store, collections } });
    await pause.reached;
    await publish('late');
    const collection = await pipeline.store.collections.find(lateKey);
    expect(collection?.publication).toMatchObject({ sequence: 12, relayed: 12 });

    pause.go();
    await paused;
    expect(await pipeline.store.collections.find(lateKey)).toEqual(collection);
    await expectInOrder('late', await pipeline.published(lateKey));
  });

  test('announces a change that was made while it published', async () => {
    await collectItems('edited', ['a']);
    let isEdited = false;
    const collections = replaced(pipeline.store.collections, 'publish', async (...publication) => {
      if (!isEdited) await deleteItem('edited', 'a');
      isEdited = true;
      return pipeline.store.collections.publish(...publication);
    });
    await publish('edited', { store: { ...pipeline.store, collections } });
    expect(summary(await pipeline.published(collectionKey('edited')))).toEqual([
      'item.created a',
      'item.deleted a',
    ]);
  });

  test('is one of three that publish at once, and no sequence is issued twice', async () => {
    await collectItems(
      'crowd',
      Array.from({ length: 60 }, (_, index) => `item-${index}`),
    );
    await Promise.all([1, 2, 3].map(() => publish('crowd', {}, { block: 3 })));
    const events = await pipeline.published(crowd);
    expect(new Set(events.map(({ subject }) => subject)).size).toBe(60);
    expect(events).toHaveLength(60);
    await expectInOrder('crowd', events);
  });

  test('whose stream was away has published all the same', async () => {
    await collectItems('away');
    const away: EventStream = {
      append: async () => {
        throw new Error('the stream is away');
      },
    };
    await expect(publish('away', { stream: away })).rejects.toThrow('the stream is away');
    expect(await pipeline.relayed('away')).toEqual([]);
    expect((await pipeline.store.collections.find(collectionKey('away')))?.publication).toMatchObject({
      sequence: 5,
      relayed: 0,
    });
  });

  test('whose stream is away once more leaves the events to the next one, and none is lost', async () => {
    await collectItems('longer');
    const published: number[] = [];
    let isAway = true;
    const unsteady: EventStream = {
      append: async (collection, events) => {
        published.push(...events.map(({ sequence }) => Number(sequence)));
        if (isAway) throw new Error('the stream is away');
        await stream.append(collection, events);
      },
    };
    for (let run = 0; run < 3; run += 1) {
      await expect(publish('longer', { stream: unsteady })).rejects.toThrow('the stream is away');
      expect(await publicationOf('longer')).toMatchObject({ sequence: 5, relayed: 0 });
    }
    expect(published).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
    isAway = false;
    await publish('longer', { stream: unsteady });
    expect(await publicationOf('longer')).toMatchObject({ sequence: 12, relayed: 12 });
    await expectInOrder('longer', await pipeline.published(collectionKey('longer')));
  });
});

describe('two publishers at once', () => {
  beforeAll(async () => {
    await pipeline.collect('deadLettered', stopped.now());
    for (const id of ['a', 'b']) await pipeline.create('deadLettered', id);
    await publish('deadLettered', { clock: stopped });
    await deleteItem('deadLettered', 'a');
    await publish('deadLettered', { clock: stopped });
    await pipeline.start('fetcher', 'merger', 'publisher', 'publisher');
  });

  test('relay what was left when the stream was away', async () => {
    const events = await pipeline.published(collectionKey('away'));
    expect(events).toHaveLength(12);
    await expectInOrder('away', events);
  });

  test('remove the tombstones past the age that a collection has come to set', async () => {
    const settings = { windowItems: 1000, expiresAfter: 60, cleanUpHistory: false, tombstoneAge: 3600 };
    expect(await pipeline.items('deadLettered')).toMatchObject({
      a: { deleted: true },
      b: { deleted: false },
    });
    await pipeline.store.collections.update(collectionKey('deadLettered'), { title: 'To do', settings });
    await until(
      () => pipeline.items('deadLettered'),
      (items) => !('a' in items),
    );
    expect(await pipeline.items('deadLettered')).toMatchObject({ b: { deleted: false } });
    expect((await pipeline.store.collections.find(collectionKey('deadLettered')))?.publication).toMatchObject(
      {
        since: 3,
        sequence: 3,
        relayed: 3,
      },
    );
  });

  test('say what kind of change each one was, once and in order', async () => {
    const rounds: [entries: string[], expected: string[]][] = [
      [[entry('a', ['1 there'])], ['item.created a']],
      [[entry('a', ['2 there', '1 there'])], ['item.updated a']],
      [[entry('a', ['3 there', '2 there', '1 there'], 'deleted="true"')], ['item.deleted a']],
      [[entry('a', ['4 there', '3 there', '2 there', '1 there'])], ['item.undeleted a']],
      [[entry('a', ['4 elsewhere', '3 there', '2 there', '1 there'])], ['item.conflicted a']],
      [
        [entry('a', ['5 there', '4 there', '4 elsewhere', '3 there', '2 there', '1 there'])],
        ['item.resolved a'],
      ],
      [[entry('b', ['2 there', '1 there'], 'deleted="true"')], ['item.deleted b']],
    ];
    await pipeline.subscribe('kinds');
    for (const [entries] of rounds) {
      pipeline.feeds.serve('/kinds', feed(entries));
      await pipeline.fetch('kinds');
      await pipeline.published(collectionKey('kinds'));
    }
    const events = await pipeline.published(collectionKey('kinds'));
    expect(summary(events)).toEqual(
      rounds.flatMap(([, expected]) => [...expected, 'subscription.fetched peer']),
    );
    expect(events[8]).toMatchObject({
      subject: 'a',
      source: 'urn:feedmesh:test:here',
      data: {
        updates: 4,
        deleted: false,
        conflictCount: 1,
        subscription: 'peer',
        itemUrl: 'http://here.example/v1/collections/kinds/items/a',
        history: { sequence: 4, by: 'there' },
      },
    });
    await expectInOrder('kinds', events);
  });

  test('publish a collection of many blocks without a gap, however often they are asked', async () => {
    const entries = Array.from({ length: 200 }, (_, index) => entry(`item-${index}`, ['1 there']));
    pipeline.feeds.serve('/many', feed(entries));
    await pipeline.subscribe('many');
    await pipeline.queue.send(
      Array.from({ length: 50 }, () => ({ queue: 'publish', data: { version: 1, collection: many } })),
    );
    await pipeline.fetch('many');
    await pipeline.queue.send(
      Array.from({ length: 50 }, () => ({ queue: 'publish', data: { version: 1, collection: many } })),
    );
    const events = await until(
      () => pipeline.published(many),
      ({ length }) => length >= 201,
    );
    expect(summary(events).toSorted()).toEqual(
      [
        ...entries.map((_entry, index) => `item.created item-${index}`),
        'subscription.fetched peer',
      ].toSorted(),
    );
    await expectInOrder('many', events);
  });
});
