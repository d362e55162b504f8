import { describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';

/** What every store keeps of the keys of edits. */
export function describeEditKeyStore(name: string, open: OpenFixture): void {
  describe(`Keys of edits in ${name}`, () => {
    const under = useStore(open);
    const [now, later] = [new Date(Date.now()), new Date(Date.now() + 3_600_000)];

    test('a key identifies the first request that reserves it, in its collection', async () => {
      const { store, key: collection } = under;
      expect(
        await store.editKeys.reserve({ collection, key: 'k', request: 'one', expiresAt: later }, now),
      ).toBe('one');
      expect(
        await store.editKeys.reserve({ collection, key: 'k', request: 'two', expiresAt: later }, now),
      ).toBe('one');
      expect(
        await store.editKeys.reserve({ collection, key: 'k', request: 'one', expiresAt: later }, now),
      ).toBe('one');
      expect(
        await store.editKeys.reserve({ collection, key: 'l', request: 'two', expiresAt: later }, now),
      ).toBe('two');
      expect(
        await store.editKeys.reserve(
          { collection: collectionKey(`${collection}2`), key: 'k', request: 'two', expiresAt: later },
          now,
        ),
      ).toBe('two');
    });

    test('of many that reserve a key at the same time all get the same', async () => {
      const { store, key: collection } = under;
      const requests = Array.from({ length: 20 }, (_, index) => `request-${index}`);
      const held = new Set(
        await Promise.all(
          requests.map((request) =>
            store.editKeys.reserve({ collection, key: 'k', request, expiresAt: later }, now),
          ),
        ),
      );
      expect(held.size).toBe(1);
      expect(requests).toContain([...held][0]);
    });

    test('a key that has expired identifies the next request', async () => {
      const { store, key: collection } = under;
      await store.editKeys.reserve({ collection, key: 'k', request: 'one', expiresAt: later }, now);
      const after = new Date(later.getTime() + 3_600_000);
      expect(
        await store.editKeys.reserve(
          { collection, key: 'k', request: 'two', expiresAt: after },
          new Date(later.getTime() - 1),
        ),
      ).toBe('one');
      expect(
        await store.editKeys.reserve({ collection, key: 'k', request: 'two', expiresAt: after }, later),
      ).toBe('two');
      expect(
        await store.editKeys.reserve({ collection, key: 'k', request: 'three', expiresAt: after }, later),
      ).toBe('two');
    });
  });
}
