import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import { adoptedEntry, adoptionMark, adoptVersion, deletionMark } from './adopted.ts';
import { maximumCount } from './count.ts';
import { deleteItem, updateItem } from './edit.ts';
import type { Item } from './item.ts';
import { merge } from './merge.ts';
import { resolveItem } from './resolve.ts';

const feed = 'feed:blog.example:1';
const [here, there] = [
  { by: 'here', when: '2026-02-01T00:00:00Z' },
  { by: 'there', when: '2026-02-02T00:00:00Z' },
];

/** An item as the feed has it; its content is its mark. */
function inFeed(mark: string, when?: string): Item<string> {
  return {
    sync: {
      id: itemId('a'),
      updates: 1,
      deleted: mark === deletionMark,
      history: [adoptedEntry(1, { by: feed, ...(when !== undefined && { when }) }, mark)],
    },
    data: mark,
    conflicts: [],
  };
}

const day = (number: number): string => `2026-01-0${number}T00:00:00Z`;

/** The item here after the feed has shown it so. */
function take(local: Item<string> | undefined, mark: string, seen?: string, when?: string): Item<string> {
  const version = adoptVersion(local, inFeed(mark, when), { seen });
  if (version === undefined) {
    if (local === undefined) throw new Error('there is no item');
    return local;
  }
  return merge(local, version).item;
}

function marks({ sync }: Item): (string | undefined)[] {
  return sync.history.map(adoptionMark);
}

describe('an item of a plain feed', () => {
  test('begins with sequence 1 and grows by one with each version, signed by the feed', () => {
    const item = take(take(take(undefined, 'one'), 'two', 'one'), 'three', 'two');
    expect(item).toMatchObject({ data: 'three', sync: { updates: 3 }, conflicts: [] });
    expect(item.sync.history.map(({ sequence, by }) => [sequence, by])).toEqual([
      [3, feed],
      [2, feed],
      [1, feed],
    ]);
    expect(marks(item)).toEqual(['three', 'two', 'one']);
  });

  test('is no new version as long as it says the same', () => {
    const item = take(undefined, 'one');
    expect(adoptVersion(item, inFeed('one'), { seen: 'one' })).toBeUndefined();
  });

  test('that was edited here is left alone until the feed changes, and then conflicts', () => {
    const edited = updateItem(take(undefined, 'one'), { ...here, data: 'corrected' });
    expect(adoptVersion(edited, inFeed('one'), { seen: 'one' })).toBeUndefined();
    const changed = take(edited, 'two', 'one');
    expect([changed.data, ...changed.conflicts.map(({ data }) => data)].toSorted()).toEqual([
      'corrected',
      'two',
    ]);
    const resolved = resolveItem(changed, { ...here, keep: 'winner', data: 'resolved' });
    expect(adoptVersion(resolved, inFeed('two'), { seen: 'two' })).toBeUndefined();
    expect(take(resolved, 'three', 'two').conflicts).toHaveLength(1);
  });

  test('that another endpoint has adopted, and edited, is known by its mark', () => {
    const theirs = updateItem(take(take(undefined, 'one'), 'two', 'one'), { ...there, data: 'corrected' });
    // This subscription sees the feed's second version only now, or for the first time.
    expect(adoptVersion(theirs, inFeed('two'), { seen: 'one' })).toBeUndefined();
    expect(adoptVersion(theirs, inFeed('two'), { seen: undefined })).toBeUndefined();
  });

  test('a copy that a cache has kept is older than what another endpoint has brought', () => {
    const theirs = take(take(take(undefined, 'one'), 'two', 'one'), 'three', 'two');
    expect(adoptVersion(theirs, inFeed('two'), { seen: 'one' })).toBeUndefined();
  });

  test('that was never seen is a change, whatever its date is', () => {
    const item = take(take(undefined, 'one', undefined, day(1)), 'two', 'one', day(3));
    expect(take(item, 'other', 'two', day(2))).toMatchObject({ data: 'other', sync: { updates: 3 } });
  });

  test('that was seen before is a stale copy if it has an earlier date, or its document has', () => {
    const item = take(take(undefined, 'one', undefined, day(1)), 'two', 'one', day(3));
    expect(adoptVersion(item, inFeed('one', day(1)), { seen: 'two' })).toBeUndefined();
    const undated = take(take(undefined, 'one'), 'two', 'one');
    expect(adoptVersion(undated, inFeed('one'), { seen: 'two', isStale: true })).toBeUndefined();
    expect(adoptVersion(undated, inFeed('three'), { seen: 'two', isStale: true })).toBeDefined();
  });

  test.each([
    ['with dates', [day(1), day(3)], 2],
    ['without dates', [undefined, undefined], 4],
    ['with the same date', [day(1), day(1)], 4],
  ])('comes to rest where two caches disagree, %s', (_how, dates, updates) => {
    let item = take(undefined, 'one', undefined, dates[0]);
    for (let round = 0; round < 10; round += 1) {
      item = take(item, 'two', 'one', dates[1]);
      item = take(item, 'one', 'two', dates[0]);
    }
    expect(item.sync.updates).toBe(updates);
  });

  test('may go back to what it said before', () => {
    const item = take(take(undefined, 'one'), 'two', 'one');
    expect(take(item, 'one', 'two')).toMatchObject({ data: 'one', sync: { updates: 3 } });
  });

  test('is deleted by its tombstone, with the content that it had, and comes back', () => {
    expect(adoptVersion(undefined, inFeed(deletionMark), { seen: undefined })).toBeUndefined();
    const deleted = take(take(undefined, 'one'), deletionMark, 'one');
    expect(deleted).toMatchObject({ data: 'one', sync: { deleted: true, updates: 2 } });
    expect(take(deleted, 'one', deletionMark)).toMatchObject({ data: 'one', sync: { deleted: false } });

    const dated = take(take(undefined, 'one', undefined, day(1)), deletionMark, 'one', day(3));
    const restored = take(dated, 'one', deletionMark, day(1));
    expect(restored).toMatchObject({ data: 'one', sync: { deleted: false, updates: 3 } });
    const stale = inFeed('one', day(1));
    expect(adoptVersion(dated, stale, { seen: deletionMark, isStale: true })).toBeUndefined();
  });

  test('that was deleted here stays deleted as long as the feed says the same', () => {
    const deleted = deleteItem(take(undefined, 'one'), here);
    expect(adoptVersion(deleted, inFeed('one'), { seen: 'one' })).toBeUndefined();
  });

  test('keeps what its creator set once', () => {
    const item = take(undefined, 'one');
    const local = { ...item, sync: { ...item.sync, noconflicts: true } };
    expect(adoptVersion(local, inFeed('two'), { seen: 'one' })?.sync.noconflicts).toBe(true);
  });

  test('is refused past the highest sequence', () => {
    const item = take(undefined, 'one');
    const history = [adoptedEntry(maximumCount, { by: feed }, 'one')];
    const local = { ...item, sync: { ...item.sync, updates: maximumCount, history } };
    expect(() => adoptVersion(local, inFeed('two'), { seen: 'one' })).toThrow('limit of 2147483647');
  });

  test('has at most twenty entries of the feed in its history', () => {
    let item = take(undefined, '1');
    for (let version = 2; version <= 30; version += 1) item = take(item, `${version}`, `${version - 1}`);
    expect(item.sync.history).toHaveLength(20);
    expect(item.sync.updates).toBe(30);
  });
});

test('two that adopt a feed and exchange its items come to the same, however they see it', () => {
  // Each sees some of the feed's versions, and now and then what the other has.
  const sightings = ['1', '2', '2', '3', '1', '4', '5', '5'];
  for (let order = 0; order < 256; order += 1) {
    const sides: { item?: Item<string>; seen?: string }[] = [{}, {}];
    let versions = 0;
    const exchange = (from: number): void => {
      const [source, target] = [sides[from]?.item, sides[1 - from]];
      if (source === undefined || target === undefined) return;
      const { item, changed } = merge(target.item, source);
      target.item = item;
      if (changed) versions += 1;
    };
    for (const [place, mark] of sightings.entries()) {
      const isFirst = ((order >> place) & 1) === 0;
      const side = sides[isFirst ? 0 : 1];
      if (side === undefined) continue;
      side.item = take(side.item, mark, side.seen);
      side.seen = mark;
      if (place % 3 === order % 3) exchange(order % 2);
    }
    for (const side of sides) {
      side.item = take(side.item, '5', side.seen);
      side.seen = '5';
    }
    // However often they exchange, it ends.
    for (const from of [0, 1, 0, 1, 0, 1]) exchange(from);
    const before = versions;
    for (const from of [0, 1, 0, 1]) exchange(from);
    expect(versions).toBe(before);
    // Their histories tell what each of them saw of the feed before; the version is the same.
    const [one, other] = sides.map(({ item }) => item && { ...item.sync, history: item.sync.history[0] });
    expect(one).toEqual(other);
    expect(sides.map(({ item }) => item?.conflicts)).toEqual([[], []]);
    expect([sides[0]?.item?.data, sides[1]?.item?.data]).toEqual(['5', '5']);
    expect(sides.map(({ item, seen }) => item && adoptVersion(item, inFeed('5'), { seen }))).toEqual([
      undefined,
      undefined,
    ]);
  }
});
