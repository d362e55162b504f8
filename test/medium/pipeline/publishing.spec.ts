import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { editItem } from '#items';
import { changeEvent, formatCursor, requestPublish } from '#contracts';
import type { ChangeEvent } from '#contracts';
import { collectionKey, itemId } from '#core';
import type { ChangeBlock, EventStream, Publication } from '#core';
import { openEventStream } from '#queue';
import { systemClock } from '#service';
import { PublishHandler } from '../../../apps/publisher/src/publish.handler.ts';
import { publishCollection } from '../../../apps/publisher/src/publish-collection.ts';
import type { PublishPorts, PublishSettings } from '../../../apps/publisher/src/publish-ports.ts';
import { entry, feed } from './feed.ts';
import { PipelineUnderTest, summary } from './pipeline-under-test.ts';
import { replaced } from '../../support/replaced.ts';
import { until } from './until.ts';

const again = collectionKey('again');
const dead = collectionKey('dead');
const lateKey = collectionKey('late');
const pausedKey = collectionKey('paused');
const crowd = collectionKey('crowd');
const many = collectionKey('many');
const renewed = collectionKey('renewed');

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
    holder: 'one',
  };
  return publishCollection(
    { ...real, ...ports },
    { block: 5, lease: 15_000, retention: 100_000, ...settings },
    { version: 1, collection: collectionKey(collection) },
  );
}

/** With a clock that stands still a lease is never renewed; a lease of a millisecond never protects. */
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
  test('publishes what is requested, in that order, and does not look for what is pending', async () => {
    await collectItems('requested');
    const key = collectionKey('requested');
    const wanted = ['item-7', 'item-2', 'item-11', 'item-0', 'item-9', 'item-3'].map(itemId);
    await pipeline.queue.send([requestPublish(key, wanted)]);
    await pipeline.queue.send([requestPublish(key, [itemId('item-2'), itemId('item-4'), itemId('none')])]);
    const items = replaced(pipeline.store.items, 'pending', async () => {
      throw new Error('it has looked');
    });
    const ports = { store: { ...pipeline.store, items }, backlog: pipeline.queue };
    const operations = await pipeline.operations(() => publish('requested', ports));
    expect(operations.map(({ name }) => name).toSorted()).toEqual([
      'insert changes',
      'insert changes',
      'query collections',
      // The first five requests are of five items, and so are the others.
      'query items',
      'query items',
      'update collections',
      'update collections',
      'update collections',
      'update collections',
      'update items',
      'update items',
    ]);
    expect((await pipeline.relayed('requested')).map(({ subject }) => subject)).toEqual([
      ...wanted,
      'item-4',
    ]);
    // Nothing is left of them, so nothing is asked of the store.
    await publish('requested', { backlog: pipeline.queue, store: {} as PublishPorts['store'] });
    await pipeline.queue.send([requestPublish(key)]);
    await publish('requested', { backlog: pipeline.queue });
    expect((await pipeline.relayed('requested')).map(({ subject }) => subject).toSorted()).toEqual(
      ids.toSorted(),
    );
  });

  test('that breaks off, or takes only a part, leaves the requests to the next', async () => {
    await collectItems('broken-off', ids.slice(0, 4));
    const key = collectionKey('broken-off');
    await pipeline.queue.send([requestPublish(key, ids.slice(0, 4).map(itemId))]);
    const changes = replaced(pipeline.store.changes, 'append', async () => {
      throw new Error('it broke off');
    });
    const broken = publish('broken-off', { store: { ...pipeline.store, changes }, backlog: pipeline.queue });
    await expect(broken).rejects.toThrow('it broke off');
    await publish('broken-off', { backlog: pipeline.queue }, { blockBytes: 1000 });
    expect((await pipeline.relayed('broken-off')).map(({ subject }) => subject)).toEqual(ids.slice(0, 4));
    expect(await pipeline.queue.requested(key, 10)).toEqual({ ids: [], everything: 0 });
  });

  test('that was paused between its lease and the log is refused', async () => {
    await collectItems('paused');
    const pause = heldUp();
    const changes = replaced(pipeline.store.changes, 'append', async (block: ChangeBlock) => {
      await pause.step();
      return pipeline.store.changes.append(block);
    });
    const paused = publish('paused', { store: { ...pipeline.store, changes }, clock: stopped }, { lease: 1 });
    await pause.reached;
    await until(
      () => publish('paused', { holder: 'two' }).then(() => pipeline.store.items.pending(pausedKey, 1)),
      ({ length }) => length === 0,
    );
    const published = await pipeline.published(collectionKey('paused'));
    const collection = await pipeline.store.collections.find(pausedKey);

    pause.go();
    await paused;
    expect(await pipeline.published(collectionKey('paused'))).toEqual(published);
    expect(await pipeline.store.collections.find(pausedKey)).toEqual(collection);
    await expectInOrder('paused', published);
    expect(published.map(({ subject }) => subject).toSorted()).toEqual(ids.toSorted());
  });

  test('that was paused behind the log cannot put the publication back', async () => {
    await collectItems('late');
    const pause = heldUp();
    const items = replaced(
      pipeline.store.items,
      'markPublished',
      async (...marks: Parameters<typeof pipeline.store.items.markPublished>) => {
        await pause.step();
        await pipeline.store.items.markPublished(...marks);
      },
    );
    const paused = publish('late', { store: { ...pipeline.store, items }, clock: stopped }, { lease: 1 });
    await pause.reached;
    await until(
      () => publish('late', { holder: 'two' }).then(() => pipeline.store.items.pending(lateKey, 1)),
      ({ length }) => length === 0,
    );
    const [collection, stored] = [
      await pipeline.store.collections.find(lateKey),
      await pipeline.store.items.load(lateKey, ids.map(itemId)),
    ];
    expect(collection?.publication).toMatchObject({ sequence: 12, relayed: 12 });

    pause.go();
    await paused;
    expect(await pipeline.store.collections.find(lateKey)).toEqual(collection);
    expect(await pipeline.store.items.load(lateKey, ids.map(itemId))).toEqual(stored);
    await expectInOrder('late', await pipeline.published(collectionKey('late')));
  });

  test('that is given the same job again while it works leaves the work to the run that has it', async () => {
    await collectItems('again');
    const pause = heldUp();
    const items = replaced(
      pipeline.store.items,
      'markPublished',
      async (...marks: Parameters<typeof pipeline.store.items.markPublished>) => {
        await pause.step();
        await pipeline.store.items.markPublished(...marks);
      },
    );
    const ports = {
      store: { ...pipeline.store, items },
      stream,
      clock: systemClock,
      publicUrl: 'http://here.example',
    };
    const handler = new PublishHandler(ports, { block: 5, lease: 15_000, retention: 100_000 });
    const first = handler.publish({ version: 1, collection: again });
    await pause.reached;
    await handler.publish({ version: 1, collection: again });
    expect(await pipeline.store.changes.read(again, 0, 100)).toHaveLength(5);
    expect((await pipeline.store.collections.find(again))?.publication).toMatchObject({
      sequence: 0,
      relayed: 0,
    });

    pause.go();
    await first;
    expect((await pipeline.store.collections.find(again))?.publication).toMatchObject({
      sequence: 12,
      relayed: 12,
    });
    await expectInOrder('again', await pipeline.published(collectionKey('again')));
  });

  test('whose lease ran out appends nothing to the log, though it can have the lease again', async () => {
    await collectItems('renewed');
    let time = Date.parse('2026-01-02T00:00:00Z');
    const clock = { ...systemClock, now: () => new Date(time) };
    const pause = heldUp();
    const items = replaced(pipeline.store.items, 'pending', async (...question) => {
      await pause.step();
      return pipeline.store.items.pending(...question);
    });
    const late = publish('renewed', { store: { ...pipeline.store, items }, clock }, { lease: 1 });
    await pause.reached;
    const other = await until(() => pipeline.store.collections.lease(renewed, 'two', 15_000));
    await pipeline.store.collections.release(other);
    time += 60_000;
    pause.go();
    await late;
    expect(await pipeline.store.changes.read(renewed, 0, 100)).toEqual([]);
    expect(await publicationOf('renewed')).toMatchObject({ sequence: 0, relayed: 0 });

    const publishRest = () => publish('renewed', { holder: 'two' });
    await until(
      () => publishRest().then(() => publicationOf('renewed')),
      (found) => found?.sequence === 12,
    );
    await expectInOrder('renewed', await pipeline.published(renewed));
  });

  test('that dies behind the log leaves a block that the next one finishes', async () => {
    await collectItems('dead', ids.slice(0, 3));
    const items = replaced(pipeline.store.items, 'markPublished', async () => {
      throw new Error('the publisher dies');
    });
    await expect(publish('dead', { store: { ...pipeline.store, items } })).rejects.toThrow(
      'the publisher dies',
    );
    expect((await pipeline.store.collections.find(dead))?.publication.sequence).toBe(0);
    const appended = await pipeline.store.changes.read(dead, 0, 10);
    expect(appended).toHaveLength(3);

    await publish('dead', { holder: 'two' });
    expect(await pipeline.published(collectionKey('dead'))).toEqual(appended);
    expect((await pipeline.store.collections.find(dead))?.publication).toMatchObject({
      sequence: 3,
      relayed: 3,
    });
    const stored = await pipeline.store.items.load(dead, ids.map(itemId));
    expect(new Set([...stored.values()].map(({ sequence }) => sequence))).toEqual(new Set([1, 2, 3]));
    await expectInOrder('dead', appended);
  });

  test('that dies behind a change made in between announces that change too', async () => {
    await collectItems('edited', ['a']);
    const items = replaced(pipeline.store.items, 'markPublished', async () => {
      throw new Error('the publisher dies');
    });
    await expect(publish('edited', { store: { ...pipeline.store, items } })).rejects.toThrow(
      'the publisher dies',
    );
    pipeline.feeds.serve('/edited', feed([entry('a', ['1 there'])]));
    await pipeline.subscribe('edited');
    await pipeline.start('fetcher', 'merger');
    await pipeline.fetch('edited');
    await publish('edited', { holder: 'two' });
    expect(summary(await pipeline.published(collectionKey('edited')))).toEqual([
      'item.created a',
      'item.conflicted a',
      'subscription.fetched peer',
    ]);
  });

  test('is one of three that all believe in their lease, and no sequence is issued twice', async () => {
    await collectItems(
      'crowd',
      Array.from({ length: 60 }, (_, index) => `item-${index}`),
    );
    const busy = async (holder: string): Promise<void> => {
      await until(
        () =>
          publish('crowd', { holder, clock: stopped }, { lease: 1, block: 3 }).then(() =>
            pipeline.store.items.pending(crowd, 1),
          ),
        ({ length }) => length === 0,
      );
    };
    await Promise.all([busy('one'), busy('two'), busy('three')]);
    await until(
      () => publish('crowd', { holder: 'last' }).then(() => pipeline.store.collections.find(crowd)),
      (found) => found?.publication.relayed === 60,
    );
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
    await collectItems('deadLettered', ['a', 'b']);
    await publish('deadLettered', { clock: stopped });
    await deleteItem('deadLettered', 'a');
    await publish('deadLettered', { clock: stopped });
    await pipeline.start('publisher', 'publisher');
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
