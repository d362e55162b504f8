import { expect, test } from '@jest/globals';
import { collectionKey, itemId } from '#core';
import { feedsyncProtocol } from '#feedsync';
import type { FeedSyncContent } from '#feedsync';
import { createMemoryStore, sampleCollection } from '#in-memory';
import type { Edit } from '#protocol';
import { payloadFromFields } from '#xml';
import { editItem } from './edit-item.ts';
import { itemWrite } from './stored-item.ts';

const [ours, theirs, milk] = ['here', 'there', itemId('milk')];
const now = (): Date => new Date('2026-02-01T00:00:00Z');
const payload = payloadFromFields('atom', { title: 'Buy milk' });
const creation = { action: 'create', id: milk, payload } as const;

test('a removed item that others bring without our versions goes on with our sequences', async () => {
  const collection = {
    ...sampleCollection({ key: collectionKey('todo'), createdAt: now() }),
    endpoint: ours,
  };
  const store = createMemoryStore({ clock: { now } });
  const edit = (change: Edit) =>
    editItem({ store, now, publicUrl: 'http://here.example' }, collection, milk, change);
  await edit(creation);
  const { revision, sources } = await edit({ action: 'update', payload });
  await store.items.remove(collection.key, [{ id: milk, revision, sources }]);

  const when = '2026-02-01T00:00:00Z';
  const content = feedsyncProtocol.edit(undefined, creation, { by: theirs, when }, collection.settings);
  await store.items.compareAndSet([itemWrite({ collection, now: now() }, undefined, content, {})]);
  const { sync } = (await edit({ action: 'update', payload })).content as FeedSyncContent;
  expect(sync.history.map(({ by, sequence }) => [by, sequence])).toEqual([
    [ours, 3],
    [theirs, 1],
  ]);
});
