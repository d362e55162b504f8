import { expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryStore } from '#in-memory';
import type { Collection } from '#core';
import type { Edit } from './index.ts';
import { writeEdits } from './write-edits.ts';

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const collection: Collection = {
  name: 'todo',
  protocol: 'feedsync',
  format: 'rss',
  title: 'To do',
  endpoint: 'test:here',
  createdAt: now(),
  settings: { windowItems: 1000, expiresAfter: 604_800, cleanUpHistory: false },
  publication: { sequence: 0, since: 0, relayed: 0 },
};
const payload = payloadFromFields('rss', { title: 'Buy milk' });
const creation = (id: string): { id: string; revision: number; edit: Edit } => ({
  id,
  revision: 0,
  edit: { action: 'create', id, payload },
});

test(
  'edits and creations are written together; those whose item is at another revision are answered, and ' +
    'change nothing',
  async () => {
    const store = createMemoryStore({ clock: { now } });
    const ports = { store, now, publicUrl: 'http://here.example' };
    expect(await writeEdits(ports, collection, [])).toEqual(new Set());
    expect(await writeEdits(ports, collection, ['a', 'b', 'c'].map(creation))).toEqual(new Set());
    const update: Edit = { action: 'update', payload };
    const lost = await writeEdits(ports, collection, [
      creation('a'),
      creation('d'),
      { id: 'b', revision: 1, edit: update },
      { id: 'c', revision: 2, edit: update },
      { id: 'e', revision: 1, edit: update },
    ]);
    expect(lost).toEqual(new Set(['a', 'c', 'e']));
    expect((await store.items.list('todo', { limit: 10 })).map(({ id, revision }) => [id, revision])).toEqual(
      [
        ['a', 1],
        ['b', 2],
        ['c', 1],
        ['d', 1],
      ],
    );
  },
);

test('more edits than go into one write are all written', async () => {
  const store = createMemoryStore({ clock: { now } });
  const ids = Array.from({ length: 1201 }, (_, index) => `i${index}`);
  expect(
    await writeEdits({ store, now, publicUrl: 'http://here.example' }, collection, ids.map(creation)),
  ).toEqual(new Set());
  expect(await store.items.list('todo', { limit: 2000 })).toHaveLength(1201);
});
