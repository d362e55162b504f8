import { TooManyConflictsError } from '#core';
import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import { createItem, updateItem } from './edit.ts';
import type { Conflict, Item, Modification } from './item.ts';
import { merge } from './merge.ts';

const time = (second: number): string => `2006-01-06T19:24:0${second}Z`;
const created = createItem({ id: itemId('item'), data: 'created', by: 'a', when: time(0) });
const byA = updateItem(created, { data: 'of a', by: 'a', when: time(3) });
const byB = updateItem(created, { data: 'of b', by: 'b', when: time(2) });
const byC = updateItem(created, { data: 'of c', by: 'c', when: time(1) });

function conflict(loser: Item<string>): Conflict<string> {
  const [latest] = loser.sync.history;
  return { version: loser.sync.version, ...latest, item: { ...loser, conflicts: [] } };
}

function disputed(item: Item<string>, ...conflicts: Conflict<string>[]): Item<string> {
  return { ...item, sync: { ...item.sync, conflict: true }, conflicts };
}

function version(number: number, history: Modification[], conflicts: Conflict<string>[] = []): Item<string> {
  return {
    sync: { id: itemId('item'), version: number, deleted: false, conflict: conflicts.length > 0, history },
    data: `version ${number}`,
    conflicts,
  };
}

describe('incorporating history (4.4)', () => {
  test('an item that is new here is taken as it is', () => {
    const item = disputed(byA, conflict(byB));
    const taken = merge(undefined, item);
    expect(taken.item).toBe(item);
    expect(taken.changed).toBe(true);
  });

  test('an update is taken as it is, and an item older than the local one changes nothing', () => {
    expect(merge(created, byA)).toEqual({ item: byA, changed: true });
    expect(merge(byA, created)).toEqual({ item: byA, changed: false });
    expect(merge(byA, created).item).toBe(byA);
  });

  test('independent updates leave the winner with the loser as a conflict, whichever was here first', () => {
    expect(merge(byA, byB)).toStrictEqual({ item: disputed(byA, conflict(byB)), changed: true });
    expect(merge(byB, byA)).toStrictEqual({ item: disputed(byA, conflict(byB)), changed: true });
  });

  test('successive updates by one name in the same second are still distinguished by their version', () => {
    const base = updateItem(created, { by: 'script', when: time(1) });
    const [good, simulcast] = [
      updateItem(base, { data: 'good', by: 'script', when: time(1) }),
      updateItem(base, { data: 'simulcast', by: 'script', when: time(3) }),
    ];
    expect(merge(good, simulcast).item).toStrictEqual(disputed(simulcast, conflict(good)));
    expect(merge(base, good).item).toStrictEqual(good);
  });

  test('two deletions conflict as any two updates do', () => {
    const conflicted = disputed(byA, conflict(byB));
    const [first, second] = [4, 6].map((second) =>
      updateItem(conflicted, { deleted: true, by: 'script', when: time(second) }),
    ) as [Item<string>, Item<string>];
    expect(merge(first, second).item).toStrictEqual(disputed(second, conflict(first)));
  });

  test('no conflict leaves the conflict attribute of the winner as it was (4.4.1, step 2)', () => {
    const flagged = disputed(byA);
    expect(merge(flagged, created)).toEqual({ item: flagged, changed: false });
    expect(merge(created, flagged).item).toEqual(flagged);
    expect(merge(disputed(created), byA).item.sync.conflict).toBe(false);
  });

  test('items of different ids are refused', () => {
    expect(() => merge(created, createItem({ id: itemId('other'), data: '', by: 'a' }))).toThrow(TypeError);
  });

  test('a version that replaces one here keeps the key of a place that its document shows unchanged', () => {
    const local = { ...created, position: { parent: 'p', key: 'k' } };
    expect(merge(local, { ...byA, position: { parent: 'p', after: itemId('x') } }).item.position).toEqual({
      parent: 'p',
      key: 'k',
      after: 'x',
    });
    expect(
      merge({ ...byA, position: { key: 'k' } }, { ...byB, position: { parent: 'p', key: 'z' } }).item
        .position,
    ).toEqual({ key: 'k' });
  });
});

describe('identical items (4.4, step 2)', () => {
  test('change nothing, whatever their data', () => {
    const result = merge(byA, { ...structuredClone(byA), data: 'forged' });
    expect(result).toEqual({ item: byA, changed: false });
    expect(result.item).toBe(byA);
  });

  test('bring the conflict and the conflicts that the other endpoint has seen', () => {
    expect(merge(byA, disputed(byA))).toEqual({ item: disputed(byA), changed: true });
    expect(merge(disputed(byA, conflict(byC)), disputed(byA, conflict(byB))).item).toEqual(
      disputed(byA, conflict(byB), conflict(byC)),
    );
    expect(merge(disputed(byA, conflict(byB)), byA).changed).toBe(false);
  });

  test('bring the longer history', () => {
    const truncated = { ...byA, sync: { ...byA.sync, history: byA.sync.history.slice(0, 1) } };
    expect(merge(truncated, byA)).toEqual({ item: byA, changed: true });
    expect(merge(byA, truncated)).toEqual({ item: byA, changed: false });
  });

  test('bring what the other endpoint knows of the same conflict', () => {
    const bare: Conflict<string> = { version: 2, when: time(2), by: 'b' };
    expect(merge(disputed(byA, bare), disputed(byA, conflict(byB)))).toEqual({
      item: disputed(byA, conflict(byB)),
      changed: true,
    });
    expect(merge(disputed(byA, conflict(byB)), disputed(byA, bare)).changed).toBe(false);
    expect(
      merge(disputed(byA, conflict(byB)), disputed(byA, conflict(disputed(byB)))).item.conflicts[0]?.item
        ?.sync.conflict,
    ).toBe(true);
    const foreign = { attributes: [], children: ['<note/>'] };
    expect(merge(disputed(byA, bare), disputed(byA, { ...bare, foreign })).item.conflicts).toEqual([
      { ...bare, foreign },
    ]);
  });

  test('bring the place that counts', () => {
    const [root, below] = [
      { ...byA, position: { key: 'z' } },
      { ...byA, position: { parent: 'p', key: 'a' } },
    ];
    expect(merge(below, root)).toEqual({ item: root, changed: true });
    expect(merge(root, below)).toEqual({ item: root, changed: false });
  });
});

describe('the conflicts that are kept (5.2)', () => {
  const winner = version(5, [{ by: 'w' }, { by: 'v' }, { by: 'u' }]);
  const conflictsAfter = (
    own: Conflict<string>[],
    theirs: Conflict<string>[],
  ): readonly Conflict<string>[] => {
    const loser = version(5, [{ by: 'l' }], theirs);
    return merge({ ...winner, conflicts: own }, loser).item.conflicts.filter(({ by }) => by !== 'l');
  };

  test.each<[string, Conflict<string>[], Conflict<string>[], Conflict<string>[]]>([
    [
      'one for each by, the next winner first',
      [{ version: 3, by: 'x' }],
      [{ version: 4, by: 'y' }],
      [
        { version: 4, by: 'y' },
        { version: 3, by: 'x' },
      ],
    ],
    [
      'the higher version of one by replaces the lower',
      [{ version: 3, by: 'x' }],
      [{ version: 4, by: 'x' }],
      [{ version: 4, by: 'x' }],
    ],
    [
      'the lower version of one by adds nothing',
      [{ version: 4, by: 'x' }],
      [{ version: 3, by: 'x' }],
      [{ version: 4, by: 'x' }],
    ],
    [
      'of equal versions of one by the later when stays',
      [{ version: 4, by: 'x', when: time(2) }],
      [{ version: 4, by: 'x', when: time(3) }],
      [{ version: 4, by: 'x', when: time(3) }],
    ],
    [
      'without by the higher version replaces the lower, whatever the when',
      [{ version: 3, when: time(3) }],
      [{ version: 4, when: time(2) }],
      [{ version: 4, when: time(2) }],
    ],
    [
      'without by and of equal version the later when replaces the earlier',
      [{ version: 4, when: time(2) }],
      [{ version: 4, when: time(3) }],
      [{ version: 4, when: time(3) }],
    ],
    [
      'without by and of equal version the earlier when adds nothing',
      [{ version: 4, when: time(3) }],
      [{ version: 4, when: time(2) }],
      [{ version: 4, when: time(3) }],
    ],
    [
      'without by an identical one adds nothing',
      [{ version: 4, when: time(3) }],
      [{ version: 4, when: time(3) }],
      [{ version: 4, when: time(3) }],
    ],
    [
      'one without by and one with by are both kept',
      [{ version: 4, when: time(3) }],
      [{ version: 4, when: time(3), by: 'x' }],
      [
        { version: 4, when: time(3), by: 'x' },
        { version: 4, when: time(3) },
      ],
    ],
    [
      "the winner's own earlier versions are none",
      [],
      [
        { version: 4, by: 'v' },
        { version: 3, by: 'u' },
      ],
      [],
    ],
    [
      'another version by an endpoint of the history is one',
      [],
      [{ version: 3, by: 'v' }],
      [{ version: 3, by: 'v' }],
    ],
    [
      'names of properties are ordinary names',
      [{ version: 3, by: '__proto__' }],
      [{ version: 4, by: 'constructor' }],
      [
        { version: 4, by: 'constructor' },
        { version: 3, by: '__proto__' },
      ],
    ],
  ])('%s', (_, own, theirs, expected) => {
    expect(conflictsAfter(own, theirs)).toEqual(expected);
  });

  test("the loser's own conflicts go with it, flat", () => {
    const lost = disputed(byB, conflict(byC));
    expect(merge(byA, lost).item).toEqual(disputed(byA, conflict(lost), conflict(byC)));
  });

  test('a repeated delivery of a loser changes nothing', () => {
    const item = disputed(byA, conflict(byB), conflict(byC));
    for (const again of [byB, byC, created, structuredClone(item)]) {
      expect(merge(item, again)).toEqual({ item, changed: false });
      expect(merge(item, again).item).toBe(item);
    }
  });

  test('an item with two entries for one by is accepted with one', () => {
    const twice = disputed(byA, { version: 1, by: 'x' }, { version: 2, by: 'x' });
    const taken = merge(undefined, twice).item;
    expect(taken.conflicts).toEqual([{ version: 2, by: 'x' }]);
    expect(merge(taken, twice).changed).toBe(false);
  });

  test('10,000 conflicts against 10,000 are kept, and one more than the limit is refused', () => {
    const many = (from: number): Conflict<string>[] =>
      Array.from({ length: 10_000 }, (_, index) => ({ version: 1, by: `endpoint-${from + index}` }));
    const [local, incoming] = [disputed(byA, ...many(0)), disputed(byA, ...many(10_000))];
    expect(merge(local, incoming).item.conflicts).toHaveLength(20_000);
    expect(() => merge(local, incoming, { maximumConflicts: 19_999 })).toThrow(TooManyConflictsError);
    expect(() => merge(byA, byB, { maximumConflicts: 0 })).toThrow('maximumConflicts is 0');
  });
});
