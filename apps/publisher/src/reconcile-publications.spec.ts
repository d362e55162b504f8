import { expect, test } from '@jest/globals';
import { createMemoryQueue, createMemoryStore } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import { publishPending } from './reconcile-publications.ts';

test(
  'publishing is requested once wherever a notice, the head of a feed, or both are pending, and ' +
    'nowhere else',
  async () => {
    const at = new Date('2026-01-01T00:00:00Z');
    const [store, queue] = [createMemoryStore({ clock: { now: () => at } }), createMemoryQueue()];
    for (const collection of ['quiet', 'announced', 'titled', 'both'].map((name) => collectionKey(name))) {
      const root = { collection, id: 'root', title: collection, head: [], createdAt: at };
      await store.feeds.put(root);
      if (['titled', 'both'].includes(collection)) await store.feeds.put({ ...root, title: 'New' });
      if (['announced', 'both'].includes(collection))
        await store.notices.add({
          id: 'n',
          collection,
          subscription: subscriptionId('source'),
          type: 'fetched',
          at,
        });
    }
    await publishPending({ store, queue });
    const asked: string[] = [];
    while (await queue.deliver({ publish: async ({ collection }) => void asked.push(collection) }));
    expect(asked.toSorted()).toEqual(['announced', 'both', 'titled']);
  },
);
