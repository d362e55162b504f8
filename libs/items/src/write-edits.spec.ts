import { expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, itemId } from '#core';
import type { Edit } from '#protocol';
import { writeEdits } from './write-edits.ts';
import type { RevisionEdit } from './write-edits.ts';

const c = itemId('c');

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const collection = sampleCollection({
  key: collectionKey('todo'),
  format: 'rss',
  createdAt: now(),
});
const payload = payloadFromFields('rss', { title: 'Buy milk' });
const creation = (id: string): RevisionEdit => ({
  id: itemId(id),
  revision: 0,
  edit: { action: 'create', id: itemId(id), payload },
});

test('edits are made together, and planned again if an item is at another revision', async () => {
  const store = createMemoryStore({ clock: { now } });
  const ports = { store, now, publicUrl: 'http://here.example' };
  expect(await writeEdits(ports, collection, async () => [])).toEqual([]);
  const creations = ['a', 'b', 'c'].map((id) => creation(id));
  expect(await writeEdits(ports, collection, async () => creations)).toEqual(creations);
  const update: Edit = { action: 'update', payload };
  const made = [creation('d'), { id: itemId('b'), revision: 1, edit: update }];
  const outdated = [
    creation('a'),
    { id: c, revision: 2, edit: update },
    { id: itemId('e'), revision: 1, edit: update },
  ];
  const plans = [[...made, ...outdated], [{ id: c, revision: 1, edit: update }]];
  expect(await writeEdits(ports, collection, async () => plans.shift() ?? [])).toEqual([
    ...made,
    { id: c, revision: 1, edit: update },
  ]);
  expect(
    (await store.items.list(collectionKey('todo'), { limit: 10 })).map(({ id, revision }) => [id, revision]),
  ).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 2],
    ['d', 1],
  ]);
});
