import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { OpenFixture } from './fixture.ts';
import { collection, second, subscription } from './samples.ts';

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

    test('have what begins with their name and a dot, and are not removed with it', async () => {
      const { tenants, collections, subscriptions } = fixture.store;
      await tenants.put('shop', { limits: {}, isSuspended: false }, second(1));
      for (const key of ['shop', 'shop.a', 'shop.b', 'shop-2.a', 'shopping'].map(collectionKey)) {
        await collections.create(collection(key));
        await subscriptions.createAll([subscription(key, 'peer')]);
      }
      await subscriptions.createAll([subscription(collectionKey('shop.a'), 'other')]);
      expect(await tenants.usage('shop')).toEqual({ collections: 2, subscriptions: 3 });
      expect(await tenants.usage('none')).toEqual({ collections: 0, subscriptions: 0 });
      expect(await tenants.remove('shop')).toBe(false);
      for (const key of ['shop.a', 'shop.b'].map(collectionKey)) await collections.remove(key);
      expect(await tenants.usage('shop')).toEqual({ collections: 0, subscriptions: 0 });
      expect(await tenants.remove('shop')).toBe(true);
      expect(await tenants.remove('shop')).toBe(false);
      expect(await collections.find(collectionKey('shop'))).toBeDefined();
    });
  });
}
