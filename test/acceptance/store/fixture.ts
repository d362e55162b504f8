import { collectionKey } from '#core';
import type { CollectionKey, ComposeBlock, Store } from '#core';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { collection } from './samples.ts';

/**
 * Opens a store of its own, with this limit on the size of an item if one is given, and what composes blocks
 * as items are written; `close` removes what was kept in it.
 */
export type OpenFixture = (
  itemBytes?: number,
  compose?: ComposeBlock,
) => Promise<{ store: Store; close(): Promise<void> }>;

/**
 * The store under test, and the key of a collection that no other test uses and that is removed after the
 * test.
 */
export interface StoreUnderTest {
  readonly store: Store;
  readonly key: CollectionKey;
}

/** Removes all that is stored under a name, whether there is such a collection or not. */
export async function removeAll({ collections }: Store, key: CollectionKey): Promise<void> {
  await collections.create(collection(key));
  await collections.remove(key);
  while (!(await collections.continueRemoval(key)));
}

/** Opens one store for the tests of a `describe` block; for each test it is empty. */
export function useStore(open: OpenFixture, compose?: ComposeBlock): StoreUnderTest {
  let fixture: Awaited<ReturnType<OpenFixture>>;
  let count = 0;
  const key = (): CollectionKey => collectionKey(`tasks-${count}`);
  beforeAll(async () => {
    fixture = await open(undefined, compose);
  });
  beforeEach(() => {
    count += 1;
  });
  afterEach(async () => {
    await removeAll(fixture.store, key());
  });
  afterAll(() => fixture.close());
  return {
    get store() {
      return fixture.store;
    },
    get key() {
      return key();
    },
  };
}
