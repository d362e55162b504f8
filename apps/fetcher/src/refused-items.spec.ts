import { expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import { createMemoryStore } from '#in-memory';
import type { Fragment } from '#xml';
import { RefusedItems } from './refused-items.ts';

const subscription = { collection: collectionKey('feeds'), id: subscriptionId('one') };
const clock = { now: () => new Date('2026-01-01T00:00:00Z'), wait: async () => {} };

function refused(digest: string, id?: string): Fragment {
  const violation = { rule: 'limit-depth', section: 'limits', message: 'Too deep.', line: 3, column: 5 };
  const refusal = { violation: { ...violation, severity: 'error' as const }, digest };
  return { xml: '', line: 2, column: 1, ...(id !== undefined && { id }), refusal };
}

const whole: Fragment = { xml: '<item/>', line: 1, column: 1 };

test('each refused item has one dead letter, however often it is stored, and the others pass', async () => {
  const store = createMemoryStore({ clock });
  for (let fetch = 0; fetch < 2; fetch += 1) {
    const items = new RefusedItems(subscription);
    expect(items.take([refused('a', 'x'), whole, refused('b')])).toEqual([whole]);
    expect(items.count).toBe(2);
    await items.store({ store, clock }, async () => {});
  }
  const letters = await store.deadLetters.list({ collection: subscription.collection, limit: 10 });
  expect(letters).toHaveLength(2);
  expect(letters).toMatchObject([
    { isPartial: true, kind: 'item', subscription: 'one', violations: [{ rule: 'limit-depth', line: 3 }] },
    { isPartial: true, fragment: { xml: '', line: 2 } },
  ]);
  expect(new Set(letters.map(({ fragment }) => fragment?.id))).toEqual(new Set(['x', undefined]));
});

test('an item that two documents of a fetch have is refused once', async () => {
  const store = createMemoryStore({ clock });
  const items = new RefusedItems(subscription);
  items.take([refused('a', 'x'), refused('b')]);
  items.take([refused('a', 'x'), refused('c')]);
  expect(items.count).toBe(3);
  await items.store({ store, clock }, async () => {});
  expect(await store.deadLetters.list({ collection: subscription.collection, limit: 10 })).toHaveLength(3);
});

test('in a resync an item without an id would be lost', () => {
  const items = new RefusedItems(subscription);
  items.take([refused('a', 'x')]);
  items.assertKept(true);
  items.take([refused('b')]);
  items.assertKept(false);
  expect(() => items.assertKept(true)).toThrow('rule limit-depth, line 3, column 5');
  items.restart();
  items.assertKept(true);
});

test('more items than have letters are counted, and would be lost in a synchronised feed', () => {
  const items = new RefusedItems(subscription);
  items.take(Array.from({ length: 10_000 }, (_, n) => refused(`${n}`)));
  items.assertKept(false);
  expect(items.violations).toEqual([]);
  items.take([refused('last')]);
  expect(() => items.assertKept(false)).toThrow('rule limit-depth');
  expect(items.violations).toMatchObject([{ rule: 'limit-refused-items', severity: 'warning' }]);
  expect(items.violations[0]?.message).toMatch(/^10001 items pass a limit/);
});
