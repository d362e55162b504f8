import { describe, expect, test } from '@jest/globals';
import { itemId, ItemSizeError, subscriptionId } from '#core';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { content, cseContent, write } from './samples.ts';

const limit = 20_000;
/** What the sample item takes beside its title if that is ASCII: the same in every store. */
const otherBytes = 608;

/** The limit on the size of an item. */
export function describeItemSize(name: string, open: OpenFixture): void {
  describe(`${name}: the size of an item`, () => {
    const under = useStore(() => open(limit));

    test('may be the limit and not a byte more, and of what is too large nothing is written', async () => {
      const { store, key } = under;
      const exact = write(key, 'exact', 0, { content: content('exact', 'x'.repeat(limit - otherBytes)) });
      expect(await store.items.compareAndSet([exact])).toEqual([]);
      const writes = [
        write(key, 'small'),
        write(key, 'large', 0, { content: content('large', 'x'.repeat(limit - otherBytes + 1)) }),
      ];
      const error: unknown = await store.items.compareAndSet(writes).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ItemSizeError);
      expect(error).toMatchObject({
        sizes: new Map([['large', limit + 1]]),
        message: expect.stringMatching(
          /"large" would take 20001 bytes .* 20000 are allowed \(setting ITEM_STORED_BYTES\)/,
        ),
      });
      expect((await store.items.list(key, { limit: 10 })).map(({ id }) => id)).toEqual(['exact']);
    });

    test('is counted in bytes, of everything that is kept of it', async () => {
      const { store, key } = under;
      const sources = Array.from({ length: 200 }, (_, number) => ({
        subscription: subscriptionId(`s${number}`),
        digest: 'd'.repeat(43),
        fetchPass: 'm'.repeat(40),
      }));
      const files = Array.from({ length: 300 }, (_, number) => `${number}`.padStart(64, '0'));
      const tooLarge = {
        wide: { content: content('wide', '\u4e16'.repeat(limit / 3)) },
        known: { sources },
        tree: { content: cseContent('x'.repeat(limit)) },
        branch: { branch: { guid: 'g', files } },
      };
      for (const [id, change] of Object.entries(tooLarge)) {
        await expect(store.items.compareAndSet([write(key, id, 0, change)])).rejects.toThrow(ItemSizeError);
      }
    });

    test('may grow beyond the limit if the item is only moved', async () => {
      const { store, key } = under;
      await store.items.compareAndSet([
        write(key, 'one', 0, { content: content('one', 'x'.repeat(limit - otherBytes)) }),
      ]);
      const moved = write(key, 'one', 1, {
        content: content('one', 'x'.repeat(limit)),
        position: { parent: 'p', key: 'a0' },
      });
      expect(await store.items.compareAndSet([{ ...moved, isMoved: true }])).toEqual([]);
      expect((await store.items.load(key, [itemId('one')])).get(itemId('one'))).toMatchObject({
        revision: 2,
        position: { key: 'a0' },
      });
    });
  });
}
