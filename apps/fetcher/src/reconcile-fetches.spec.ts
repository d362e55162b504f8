import { expect, test } from '@jest/globals';
import { createMemoryQueue, createMemoryStore, sampleSubscription } from '#in-memory';
import type { Job } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import { reconcileManifests } from './reconcile-fetches.ts';

const paper = collectionKey('paper');
const source = subscriptionId('source');

const now = new Date('2026-03-01T12:00:00Z');
const settings = { stalled: 60_000, maximumStalled: 600_000, limit: 10 };
const mirrorJob: Job = {
  queue: 'mirror',
  data: {
    version: 1,
    collection: paper,
    subscription: source,
    manifest: 'm',
    batch: 0,
    url: 'http://a.example/feed',
    merged: 'x',
  },
};

/**
 * An endpoint with a sealed manifest in which nothing has happened for so many milliseconds, and one batch is
 * not merged.
 */
async function endpoint(quiet: number) {
  const store = createMemoryStore({ clock: { now: () => now } });
  const ports = { store, queue: createMemoryQueue(), clock: { now: () => now, wait: async () => {} } };
  const since = new Date(now.getTime() - quiet);
  await store.subscriptions.put(
    sampleSubscription({
      collection: paper,
      id: source,
      url: 'http://a.example/feed',
      createdAt: since,
    }),
  );
  await store.subscriptions.lease(paper, source, 'm', 90_000);
  await store.manifests.open({
    id: 'm',
    collection: paper,
    subscription: source,
    openedAt: since,
    touchedAt: since,
    done: [],
    rejected: 0,
  });
  await store.manifests.seal(
    paper,
    'm',
    {
      cursor: {},
      batches: 1,
      items: 1,
      known: 0,
      resynced: false,
      nextFetchAt: now,
      nextFetchReason: 'later',
    },
    since,
  );
  return { ports, isLeft: async () => (await store.manifests.find(paper, 'm')) !== undefined };
}

test('a sealed fetch in which nothing happens is given up where no job waits for the mergers', async () => {
  const { ports, isLeft } = await endpoint(61_000);
  await reconcileManifests(ports, settings);
  expect(await isLeft()).toBe(false);
  expect(await ports.store.subscriptions.find(paper, source)).toMatchObject({
    nextFetchAt: now,
    last: { rule: 'interrupted' },
  });
});

test.each([
  [61_000, true],
  [601_000, false],
])(
  'while a mirror job waits it may be quiet for longer: after %i ms it is left alone: %s',
  async (quiet, expected) => {
    const { ports, isLeft } = await endpoint(quiet);
    await ports.queue.send([mirrorJob]);
    await reconcileManifests(ports, settings);
    expect(await isLeft()).toBe(expected);
  },
);
