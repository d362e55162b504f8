import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import { createItem, deleteItem, updateItem } from './edit.ts';
import { cleanUpHistory } from './history.ts';
import type { Item } from './item.ts';
import { merge } from './merge.ts';
import { latest, preferEndpoint, resolveByPolicy, type Choice } from './policy.ts';

const created = createItem({ id: itemId('item'), data: 'created', by: 'a', when: '2005-05-21T09:00:00Z' });
const byA = updateItem(updateItem(created, { data: 'of a', by: 'a', when: '2005-05-21T10:00:00Z' }), {
  data: 'of a, again',
  by: 'a',
  when: '2005-05-21T10:00:01Z',
});
const byB = updateItem(created, { data: 'of b', by: 'b', when: '2005-05-21T10:00:03Z' });
const byC = deleteItem(created, { by: 'c', when: '2005-05-21T10:00:02Z' });
const timeless = updateItem(created, { data: 'of d', by: 'd' });

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);
const resolve = (item: Item<string>, choose: Choice<string> = latest, fingerprint = 'p'): Item<string> =>
  resolveByPolicy(item, { fingerprint, choose, digest });
const together = (...versions: Item<string>[]): Item<string> =>
  versions.reduce((item, version) => merge(item, version).item);

describe('resolving conflicts by a policy (3.4)', () => {
  test(
    'is an update by the resolution, at the latest time that is known, with all conflicts in its ' +
      'history',
    () => {
      const { sync, data, conflicts } = resolve(together(byA, byB, byC));
      expect({ data, conflicts, updates: sync.updates, deleted: sync.deleted }).toEqual({
        data: 'of b',
        conflicts: [],
        updates: 4,
        deleted: false,
      });
      expect(sync.history[0]).toEqual({
        sequence: 4,
        when: '2005-05-21T10:00:03Z',
        by: expect.stringMatching(/^resolution:p:[\w-]{16}:[\w-]{16}$/) as unknown,
      });
      for (const version of [byA, byB, byC]) expect(sync.history).toContainEqual(version.sync.history[0]);
    },
  );

  test('leaves an item without conflicts as it is', () => {
    expect(resolve(byA)).toBe(byA);
  });

  test(
    'writes the very same version wherever the same is known, in whatever order it came and however ' +
      'histories were cleaned up',
    () => {
      const one = resolve(together(byA, byB, byC));
      const other = resolve(together(byC, byB, { ...byA, sync: cleanUpHistory(byA.sync) }));
      expect([other.sync.updates, other.sync.history[0], other.data]).toEqual([
        one.sync.updates,
        one.sync.history[0],
        one.data,
      ]);
    },
  );

  test('resolves honest conflicts of resolutions again, and a resolution of everything known remains', () => {
    const partial = resolve(together(byA, byC));
    const whole = resolve(together(byA, byB, byC));
    const again = resolve(together(partial, whole));
    expect(again.sync.history[0]).toEqual({ ...whole.sync.history[0], sequence: 5 });
    expect([again.data, again.conflicts]).toEqual([whole.data, []]);
    expect(merge(again, partial).changed || merge(again, whole).changed).toBe(false);
  });

  test('takes over deletion with the state of a tombstone, and none with new content', () => {
    expect(resolve(together(byA, byC), preferEndpoint('c')).sync.deleted).toBe(true);
    expect(resolve(together(byC, byB), () => ({ data: 'new' }))).toMatchObject({
      data: 'new',
      sync: { deleted: false },
    });
  });

  test('leaves an item with a resolution of another policy as it is', () => {
    const foreign = together(resolve(together(byA, byC), latest, 'other'), byB);
    expect(foreign.conflicts).toHaveLength(1);
    expect(resolve(foreign)).toBe(foreign);
  });

  test('leaves an item at the limit of updates as it is', () => {
    const full = together({ ...byA, sync: { ...byA.sync, updates: 2 ** 31 - 1 } }, byB);
    expect(resolve(full)).toBe(full);
  });

  test.each([-1, 2, 0.5, Number.NaN])('refuses %s as the place of one of two versions', (choice) => {
    expect(() => resolve(together(byA, byB), () => choice)).toThrow(
      new RangeError(`the choice is ${choice}; the item item has 2 versions, counted from 0`),
    );
  });
});

describe('the policies', () => {
  test(
    '"latest" takes the latest time, not the most updates; no time is the oldest; the winner goes ' +
      'first among equals',
    () => {
      expect(resolve(together(byA, byB)).data).toBe('of b');
      expect(resolve(together(timeless, byC)).sync.deleted).toBe(true);
      expect(resolve(together(timeless, updateItem(created, { data: 'of e', by: 'e' }))).data).toBe('of e');
    },
  );

  test(
    '"prefer-endpoint" takes what the endpoint wrote, also by way of a resolution, and the winner ' +
      'if it wrote nothing',
    () => {
      expect(resolve(together(byA, byB, byC), preferEndpoint('b')).data).toBe('of b');
      expect(resolve(together(byA, byB, byC), preferEndpoint('z')).data).toBe('of a, again');
      const partial = resolve(together(byA, byB), preferEndpoint('b'));
      expect(
        resolve(together(partial, resolve(together(byA, byC), preferEndpoint('b'))), preferEndpoint('b'))
          .data,
      ).toBe('of b');
    },
  );
});
