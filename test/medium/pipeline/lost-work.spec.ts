import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import type { MergeJob, QueueName } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { ItemContent } from '#core';
import { systemClock } from '#service';
import { reconcileManifests } from '../../../apps/fetcher/src/reconcile-fetches.ts';
import { finalizeManifest } from '../../../apps/merger/src/finalize-manifest.ts';
import type { Answer } from './feed-server.ts';
import { entry, feed } from './feed.ts';
import { summary } from './pipeline-under-test.ts';
import { usePipeline } from './use-pipeline.ts';
import { replaced } from '../../support/replaced.ts';
import { until } from '../../support/until.ts';

const died = collectionKey('died');
const peer = subscriptionId('peer');
const finalized = collectionKey('finalized');
const twice = collectionKey('twice');

const pipeline = usePipeline({ FETCH_BATCH_ITEMS: '15' }, 'fetcher', 'merger', 'publisher');

/** How many items the large feed has; 20 of them are here already, in versions of our own. */
const size = 600;
const ours = Array.from({ length: 20 }, (_, index) => `item-${index * 30}`);
const largeFeed = feed(
  Array.from({ length: size }, (_, index) => entry(`item-${index}`, ['2 there', '1 there'])),
);

/** Lets a collection with items of our own subscribe to the large feed. */
async function subscribe(collection: string, answer: Answer = largeFeed): Promise<void> {
  await pipeline.collect(collection);
  for (const id of ours) await pipeline.create(collection, id);
  await pipeline.published(collectionKey(collection));
  pipeline.feeds.serve(`/${collection}`, answer);
  await pipeline.subscribe(collection);
}

/** How much later what was lost is looked for, in milliseconds. */
const later = 120_000;

/**
 * Does what the fetcher does from time to time, two minutes later by the clock: fetches in which nothing
 * happens any more are given up. The fetcher itself is not given a short timeout, as work that a loaded
 * machine is slow with would count as lost.
 */
async function reconcileLater(): Promise<void> {
  const { store, queue } = pipeline;
  const clock = { ...systemClock, now: () => new Date(Date.now() + later) };
  await reconcileManifests({ store, queue, clock }, { stalled: 60_000, maximumStalled: 600_000, limit: 100 });
}

/**
 * All that a collection holds in the end: its items, their revisions, and what was announced of them in
 * whatever order.
 */
async function endState(collection: string) {
  const events = await pipeline.published(collectionKey(collection));
  const items = await pipeline.store.items.list(collectionKey(collection), { limit: size + 1 });
  return {
    items: new Map<string, [ItemContent, number]>(
      items.map(({ id, content, revision }) => [id, [content, revision]]),
    ),
    events: summary(events)
      .filter((event) => event.startsWith('item.'))
      .toSorted(),
  };
}

/** The manifest that is in progress, once it meets the condition; until then, undefined. */
function manifestOf(collection: string, holds: (manifest: { done: number; sealed: boolean }) => boolean) {
  return until(async () => {
    const { manifest = '' } = await pipeline.subscription(collection);
    const found = await pipeline.store.manifests.find(collectionKey(collection), manifest);
    return { done: found?.done.length ?? -1, sealed: found?.seal !== undefined };
  }, holds);
}

describe('a first sync of many items whose merge jobs are lost', () => {
  let expected: Awaited<ReturnType<typeof endState>>;

  beforeAll(async () => {
    await subscribe('calm');
    await pipeline.fetch('calm');
    expected = await endState('calm');
    expect(expected.items.size).toBe(size);
    expect(
      new Set([...expected.items].map(([id, [, revision]]) => `${ours.includes(id)} ${revision}`)),
    ).toEqual(new Set(['false 1', 'true 2']));
  });

  /**
   * Lets the fetch be given up, once no job is left, and compares the end of the one after it with the calm
   * one.
   */
  async function expectRepaired(collection: string): Promise<void> {
    const queue = new Queue('merge', { connection: pipeline.redis, prefix: '{feedmesh}' });
    await until(
      () => queue.getJobCountByTypes('wait', 'active', 'prioritized', 'delayed'),
      (count) => count === 0,
    );
    await queue.close();
    await reconcileLater();
    const givenUp = await pipeline.subscription(collection);
    expect(givenUp).toMatchObject({ last: { rule: 'interrupted' } });
    // By the clock of whoever gave it up it is due at once.
    expect(givenUp.nextFetchAt.getTime()).toBeLessThanOrEqual(Date.now() + later);
    await pipeline.store.subscriptions.refresh(
      collectionKey(collection),
      peer,
      { nextFetchAt: new Date(), nextFetchReason: 'a test asks' },
      false,
    );
    const end = await until(
      () => pipeline.subscription(collection),
      ({ last }) => last?.outcome === 'fetched',
    );
    expect(end).toMatchObject({ cursorVersion: 1, failures: 0, last: { items: size, rejected: 0 } });
    expect(pipeline.feeds.requests(`/${collection}`)).toHaveLength(2);
    expect(await endState(collection)).toEqual(expected);
  }

  beforeEach(() => pipeline.stop('merger'));

  test('while the feed is being read ends as if nothing had happened', async () => {
    let go = (): void => {};
    const released = new Promise<void>((resolve) => {
      go = resolve;
    });
    await subscribe('reading', (_request, response) => {
      response.writeHead(200).write(largeFeed.slice(0, largeFeed.length / 2));
      void released.then(() => response.end(largeFeed.slice(largeFeed.length / 2)));
    });
    await until(
      () => pipeline.queue.backlog('merge'),
      (backlog) => backlog > 10,
    );
    await pipeline.redis.flushdb();
    go();
    await manifestOf('reading', ({ sealed }) => sealed);
    await pipeline.start('merger');
    await expectRepaired('reading');
  });

  test('before any was merged ends as if nothing had happened', async () => {
    await subscribe('early');
    await manifestOf('early', ({ sealed }) => sealed);
    await pipeline.redis.flushdb();
    await pipeline.start('merger');
    await expectRepaired('early');
  });

  test('in the middle of merging ends as if nothing had happened', async () => {
    await subscribe('middle');
    await manifestOf('middle', ({ sealed }) => sealed);
    // Of 40 jobs only the first eight are left, so that no merger is faster than this test.
    await pipeline.redis.ltrim('{feedmesh}:merge:wait', -8, -1);
    await pipeline.start('merger');
    await manifestOf('middle', ({ done }) => done >= 3);
    await pipeline.redis.flushdb();
    // What is being merged at that moment ends first.
    await pipeline.stop('merger');
    await pipeline.start('merger');
    await expectRepaired('middle');
  });
});

describe('one lost job', () => {
  /** Holds a queue up, does something that sends a job to it, and loses the job. */
  async function lose(name: QueueName, work: () => Promise<unknown>): Promise<void> {
    const queue = new Queue(name, { connection: pipeline.redis, prefix: '{feedmesh}' });
    try {
      await queue.pause();
      await work();
      await until(
        () => queue.getWaitingCount(),
        (count) => count > 0,
      );
      await pipeline.redis.flushdb();
    } finally {
      await queue.close();
    }
  }

  test.each(['finalize', 'publish'] as const)('of the queue %s is missed and sent again', async (name) => {
    const collection = collectionKey(`lost-${name}`);
    const ids = Array.from({ length: 30 }, (_, place) => `item-${place}`);
    pipeline.feeds.serve(`/${collection}`, feed(ids.map((id) => entry(id, ['1 there']))));
    await lose(name, () => pipeline.subscribe(collection));
    if (name === 'finalize') await reconcileLater();
    expect(await pipeline.fetch(collection)).toMatchObject({
      cursorVersion: 1,
      failures: 0,
      last: { outcome: 'fetched', items: 30 },
    });
    expect(pipeline.feeds.requests(`/${collection}`)).toHaveLength(1);
    const events = summary(await pipeline.published(collection));
    expect(events.toSorted()).toEqual(
      [...ids.map((id) => `item.created ${id}`), 'subscription.fetched peer'].toSorted(),
    );
  });
});

test('a fetcher that died while it read leaves a fetch that another one resumes', async () => {
  pipeline.feeds.serve('/died', feed([entry('a', ['1 there'])]));
  await pipeline.collect('died');
  await pipeline.stop('fetcher');
  await pipeline.subscribe('died');
  const at = new Date(Date.now() - 120_000);
  await pipeline.store.subscriptions.lease(died, peer, 'left', 500);
  await pipeline.store.manifests.open({
    id: 'left',
    collection: died,
    subscription: peer,
    openedAt: at,
    touchedAt: at,
    done: [],
    rejected: 0,
  });
  await pipeline.start('fetcher');
  expect(await pipeline.fetch('died')).toMatchObject({
    cursorVersion: 1,
    failures: 0,
    last: { outcome: 'fetched', items: 1 },
  });
  await until(
    () => pipeline.store.manifests.find(died, 'left'),
    (manifest) => manifest === undefined,
  );
});

test('a fetch that two mergers finalize at once is announced once', async () => {
  const finalizeQueue = new Queue('finalize', { connection: pipeline.redis, prefix: '{feedmesh}' });
  await finalizeQueue.pause();
  const entries = Array.from({ length: 30 }, (_, place) => entry(`item-${place}`, ['1 there']));
  pipeline.feeds.serve('/finalized', feed(entries));
  await pipeline.subscribe('finalized');
  await manifestOf('finalized', ({ done, sealed }) => sealed && done === 2);
  const { manifest = '' } = await pipeline.subscription('finalized');
  const job = { version: 1, collection: finalized, manifest } as const;
  const { store, queue } = pipeline;
  let events: string[] = [];
  // The second merger does all of it after the first one has found the manifest and before it goes on.
  const manifests = replaced(store.manifests, 'find', async (...key) => {
    const found = await store.manifests.find(...key);
    await finalizeManifest({ store, queue, clock: systemClock, publicUrl: 'http://here.example' }, job);
    events = summary(await pipeline.published(finalized));
    return found;
  });
  await finalizeManifest(
    { store: { ...store, manifests }, queue, clock: systemClock, publicUrl: 'http://here.example' },
    job,
  );
  await finalizeQueue.resume();
  await finalizeQueue.close();
  expect(events.filter((event) => event === 'subscription.fetched peer')).toHaveLength(1);
  expect(events).toHaveLength(entries.length + 1);
  expect(summary(await pipeline.published(finalized))).toEqual(events);
  expect(await pipeline.subscription('finalized')).toMatchObject({ cursorVersion: 1, failures: 0 });
});

test('merge jobs that are delivered again and again change no revision and announce nothing', async () => {
  const queue = new Queue<MergeJob>('merge', { connection: pipeline.redis, prefix: '{feedmesh}' });
  const again = (jobs: readonly MergeJob[]) =>
    pipeline.queue.send([...jobs, ...jobs].map((data) => ({ queue: 'merge', data })));
  const allDone = () =>
    until(
      () => queue.getJobCounts(),
      (counts) => Object.values(counts).every((count) => count === 0),
    );
  await pipeline.collect('twice');
  for (const id of ['item-1', 'item-2']) await pipeline.create('twice', id);
  await queue.pause();
  pipeline.feeds.serve(
    '/twice',
    feed(Array.from({ length: 30 }, (_, index) => entry(`item-${index}`, ['2 there', '1 there']))),
  );
  await pipeline.subscribe('twice');
  await manifestOf('twice', ({ sealed }) => sealed);
  const jobs = (await queue.getJobs()).map(({ data }) => data);
  expect(jobs).toHaveLength(2);

  await again(jobs);
  await queue.resume();
  expect(await pipeline.fetch('twice')).toMatchObject({
    cursorVersion: 1,
    last: { outcome: 'fetched', items: 30, rejected: 0 },
  });
  await allDone();
  const [items, events] = [await pipeline.items('twice'), await pipeline.published(twice)];
  expect(items).toMatchObject({
    'item-0': { revision: 1, conflicts: 0 },
    'item-1': { revision: 2, conflicts: 1 },
    'item-29': { revision: 1 },
  });
  expect(events.filter(({ subject }) => subject !== 'item-1' && subject !== 'item-2')).toHaveLength(29);

  await again(jobs);
  await allDone();
  await queue.close();
  expect(await pipeline.items('twice')).toEqual(items);
  expect(await pipeline.store.items.pending(twice, 1)).toEqual([]);
  expect(await pipeline.published(twice)).toEqual(events);
});
