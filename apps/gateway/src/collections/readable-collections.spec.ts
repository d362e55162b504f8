import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, nameOf } from '#core';
import type { Grant, Store } from '#core';
import { readableCollections } from './readable-collections.ts';

const now = (): Date => new Date('2026-02-01T00:00:00Z');
/** More than are read at once. */
const many = Array.from({ length: 100 }, (_, place) => `a-${String(place).padStart(3, '0')}`);

let store: Store;
let loads: number;
let collections: Pick<Store['collections'], 'list'>;

beforeEach(() => {
  store = createMemoryStore({ clock: { now } });
  loads = 0;
  collections = {
    list: async (page) => {
      loads += 1;
      return store.collections.list(page);
    },
  };
});

async function create(names: readonly string[]): Promise<void> {
  for (const name of names)
    await store.collections.create(sampleCollection({ key: collectionKey(name), createdAt: now() }));
}

const grant = (scope: string, permission: 'read' | 'write' = 'read'): Grant => ({
  permissions: [permission],
  collections: scope,
});

async function readable(
  grants: readonly Grant[],
  page: { readonly after?: string; readonly limit: number } = { limit: 10 },
): Promise<string[]> {
  return (await readableCollections({ collections }, grants, page)).map(({ key }) => nameOf(key));
}

test('lists what the grants permit to read, by name, and as many as are wanted', async () => {
  await create(['b', 'c', 'd.one', 'd.two', 'e', 'f']);
  const grants = [grant('f'), grant('d.*'), grant('b')];
  expect(await readable(grants)).toEqual(['b', 'd.one', 'd.two', 'f']);
  expect(await readable(grants, { limit: 2 })).toEqual(['b', 'd.one']);
  expect(await readable(grants, { after: 'd.one', limit: 2 })).toEqual(['d.two', 'f']);
  expect(await readable(grants, { after: 'f', limit: 2 })).toEqual([]);
  expect(await readable([grant('*')], { after: 'c', limit: 3 })).toEqual(['d.one', 'd.two', 'e']);
  expect(await readable([])).toEqual([]);
});

test('goes on behind a step that has none of them, to the last collection', async () => {
  await create([...many, 'b']);
  expect(await readable([grant('a-*', 'write'), grant('b')])).toEqual(['b']);
  expect(loads).toBe(2);
});

test('reads nothing between what is permitted', async () => {
  await create([...many, 'b']);
  expect(await readable([grant('a-000'), grant('b')])).toEqual(['a-000', 'b']);
  expect(loads).toBeLessThanOrEqual(2);
});
