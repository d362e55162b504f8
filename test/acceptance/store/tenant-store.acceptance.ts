import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collectionKey, itemId } from '#core';
import type { CollectionKey, ItemId } from '#core';
import type { OpenFixture } from './fixture.ts';
import { collection, content, second, subscription, write } from './samples.ts';

const nothing = { collections: 0, subscriptions: 0, items: 0, bytes: 0, files: 0 };

async function* body(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** What every store keeps of tenants. */
export function describeTenantStore(name: string, open: OpenFixture): void {
  describe(`Tenants in ${name}`, () => {
    let fixture: Awaited<ReturnType<OpenFixture>>;
    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());

    test('are created once, changed, listed by name and suspended', async () => {
      const { tenants } = fixture.store;
      const [plain, limited] = [
        { limits: {}, isSuspended: false },
        { limits: { collections: 3 }, isSuspended: true },
      ];
      const acme = { name: 'acme', ...plain, createdAt: second(1) };
      expect(await tenants.put('acme', plain, second(1))).toEqual({ created: true, tenant: acme });
      await tenants.put('acme-b', plain, second(2));
      expect(await tenants.put('acme', limited, second(3))).toEqual({
        created: false,
        tenant: { ...acme, ...limited },
      });
      expect(await tenants.find('acme')).toEqual({ ...acme, ...limited });
      expect(await tenants.find('none')).toBeUndefined();
      expect((await tenants.list({ limit: 5 })).map(({ name: found }) => found)).toEqual(['acme', 'acme-b']);
      expect(await tenants.list({ after: 'acme', limit: 5 })).toHaveLength(1);
      expect(await tenants.suspended()).toEqual(['acme']);
    });

    test('are changed in parts, by several at once', async () => {
      const { tenants } = fixture.store;
      await tenants.put('parts', { limits: { collections: 3, items: 5 }, isSuspended: false }, second(1));
      await Promise.all([
        tenants.change('parts', { limits: { collections: null, bytes: 7 } }),
        tenants.change('parts', { isSuspended: true }),
        tenants.change('parts', { limits: { items: 6 } }),
      ]);
      const expected = { limits: { items: 6, bytes: 7 }, isSuspended: true };
      expect(await tenants.find('parts')).toMatchObject(expected);
      expect((await tenants.find('parts'))?.limits).toEqual(expected.limits);
      expect((await tenants.change('parts', {}))?.limits).toEqual(expected.limits);
      expect(await tenants.change('none', { isSuspended: true })).toBeUndefined();
      expect(await tenants.find('none')).toBeUndefined();
      expect(await tenants.remove('parts')).toBe(true);
    });

    test('have what begins with their name and a dot, and are not removed with it', async () => {
      const { tenants, collections, subscriptions } = fixture.store;
      await tenants.put('shop', { limits: {}, isSuspended: false }, second(1));
      for (const key of ['shop', 'shop.a', 'shop.b', 'shop-2.a', 'shopping'].map(collectionKey)) {
        await collections.create(collection(key));
        await subscriptions.createAll([subscription(key, 'peer')]);
      }
      await subscriptions.createAll([subscription(collectionKey('shop.a'), 'other')]);
      expect(await tenants.usage('shop')).toEqual({ ...nothing, collections: 2, subscriptions: 3 });
      expect(await tenants.usage('none')).toEqual(nothing);
      expect(await tenants.remove('shop')).toBe(false);
      for (const key of ['shop.a', 'shop.b'].map(collectionKey)) await collections.remove(key);
      expect(await tenants.usage('shop')).toEqual(nothing);
      expect(await tenants.remove('shop')).toBe(true);
      expect(await tenants.remove('shop')).toBe(false);
      expect(await collections.find(collectionKey('shop'))).toBeDefined();
    });

    test('have the items and files of their collections, counted as they come and go', async () => {
      const { tenants, collections, items, contents } = fixture.store;
      const [one, two, other] = ['mill.a', 'mill.b', 'mill'].map(collectionKey) as [
        CollectionKey,
        CollectionKey,
        CollectionKey,
      ];
      for (const key of [one, two, other]) await collections.create(collection(key));
      const first = write(one, 'a');
      await items.compareAndSet([first, write(one, 'b'), write(two, 'a'), write(other, 'a')]);
      const { length } = JSON.stringify(first.item.content);
      expect(await tenants.stored('mill')).toEqual({ items: 3, bytes: 3 * length, files: 0 });
      const { sources } = write(one, 'a').item;
      const former = { content: content('a'), deleted: false, conflictCount: 0, sources };
      const longer = content('a', 'Buy milk and bread');
      const [changed, gone] = [
        { ...write(one, 'a', 1, { content: longer }), former },
        { ...write(two, 'a', 1, { deleted: true }), former },
      ];
      // One that loses its race counts for nothing.
      expect(await items.compareAndSet([changed, gone, write(one, 'b')])).toEqual(['b']);
      expect(await tenants.stored('mill')).toEqual({ items: 2, bytes: 3 * length + 10, files: 0 });
      const file = await contents.write(one, body('bread'), { at: second(1) });
      await contents.write(one, body('bread'), { at: second(2) });
      await contents.write(other, body('butter'), { at: second(2) });
      expect(await tenants.stored('mill')).toEqual({ items: 2, bytes: 3 * length + 15, files: 1 });
      await contents.remove(one, file.digest);
      await contents.remove(one, file.digest);
      const [a, b] = ['a', 'b'].map(itemId) as [ItemId, ItemId];
      await items.remove(one, [
        { id: a, revision: 1 },
        { id: b, revision: 1 },
      ]);
      await items.remove(two, [{ id: a, revision: 2 }]);
      expect(await tenants.stored('mill')).toEqual({ items: 1, bytes: length + 10, files: 0 });
      await collections.remove(one);
      expect(await tenants.stored('mill')).toEqual({ items: 0, bytes: 0, files: 0 });
    });

    test('have what is unreferenced as long as it is there', async () => {
      const { tenants, collections, contents } = fixture.store;
      const key = collectionKey('barn.a');
      await collections.create(collection(key));
      const { digest } = await contents.write(key, body('hay'), { at: second(1) });
      await contents.markUnreferenced(key, [digest], second(2));
      expect(await tenants.usage('barn')).toEqual({ ...nothing, collections: 1, bytes: 3, files: 1 });
      await contents.removeUnreferenced(key, [digest], second(3));
      expect(await tenants.usage('barn')).toEqual({ ...nothing, collections: 1 });
    });
  });
}
