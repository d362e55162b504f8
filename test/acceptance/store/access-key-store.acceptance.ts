import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AccessKey } from '#core';
import type { OpenFixture } from './fixture.ts';
import { second } from './samples.ts';

const key = (id: string, more: Partial<AccessKey> = {}): AccessKey => ({
  id,
  name: `key ${id}`,
  grants: [{ permissions: ['read', 'write'], collections: 'todo-*' }],
  secrets: [{ digest: `digest of ${id}` }],
  createdAt: second(1),
  ...more,
});

/** What every store keeps of the keys that were issued. */
export function describeAccessKeyStore(name: string, open: OpenFixture): void {
  describe(`Access keys in ${name}`, () => {
    let fixture: Awaited<ReturnType<OpenFixture>>;
    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());

    test('are found by their ids, listed by them, and gone once they are removed', async () => {
      const { accessKeys } = fixture.store;
      const [first, later, third] = [key('a1'), key('a2', { expiresAt: second(9) }), key('a3')];
      for (const added of [later, third, first]) await accessKeys.add(added);
      await expect(accessKeys.add(first)).rejects.toThrow();
      expect(await accessKeys.find(['a2', 'none', 'a2'])).toEqual([later]);
      expect(await accessKeys.list({ limit: 2 })).toEqual([first, later]);
      expect(await accessKeys.list({ after: 'a2', limit: 2 })).toEqual([third]);
      expect(await accessKeys.remove('a2')).toBe(true);
      expect(await accessKeys.remove('a2')).toBe(false);
      expect(await accessKeys.find(['a1', 'a2', 'a3'])).toHaveLength(2);
    });

    test('have other secrets once those are replaced', async () => {
      const { accessKeys } = fixture.store;
      await accessKeys.add(key('b1'));
      const secrets = [{ digest: 'new' }, { digest: 'digest of b1', until: second(5) }];
      const first = { id: 'b1', latest: 'digest of b1' };
      expect(await accessKeys.replaceSecrets(first, secrets)).toEqual(key('b1', { secrets }));
      expect(await accessKeys.replaceSecrets(first, [])).toBeUndefined();
      expect(await accessKeys.find(['b1'])).toEqual([key('b1', { secrets })]);
      expect(await accessKeys.replaceSecrets({ id: 'none', latest: undefined }, secrets)).toBeUndefined();
    });

    test('have been used when they were used last, in whatever order that is recorded', async () => {
      const { accessKeys } = fixture.store;
      await accessKeys.add(key('c1'));
      await accessKeys.add(key('c2'));
      await accessKeys.touch(['c1', 'none'], second(7));
      await accessKeys.touch(['c1', 'c2'], second(3));
      expect(await accessKeys.find(['c1'])).toEqual([key('c1', { lastUsedAt: second(7) })]);
      expect(await accessKeys.find(['c2'])).toEqual([key('c2', { lastUsedAt: second(3) })]);
    });
  });
}
