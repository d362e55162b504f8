import { describe, expect, test } from '@jest/globals';
import { finish, itemId } from '#core';
import type { PlacedItem } from '#core';
import { orderFeed } from './feed-order.ts';

const day = (number: number): string => `2026-01-0${number}T00:00:00Z`;
const feed = (...items: [guid: string, day?: number][]) => ({
  lastBuildDate: day(1),
  items: items.map(([id, number = 1]) => ({ id, lastBuildDate: day(number), hidden: false, links: [] })),
});
const stored = (...items: [guid: string, key?: string, deleted?: boolean][]): PlacedItem[] =>
  items.map(([guid, key, deleted = false]) => ({
    id: itemId(`news:${guid}`),
    revision: 1,
    deleted,
    position: { parent: 'news', ...(key !== undefined && { key }) },
  }));

describe('the order of a feed', () => {
  test('is that of its document: new items get keys between those of the others', () => {
    const { ids, keys, gone } = finish(
      orderFeed('news', feed(['x'], ['a'], ['y'], ['b'], ['z']), stored(['a', 'K'], ['b', 'M'])),
    );
    expect([[...ids], gone]).toEqual([
      [
        [0, 'news:x'],
        [1, 'news:a'],
        [2, 'news:y'],
        [3, 'news:b'],
        [4, 'news:z'],
      ],
      [],
    ]);
    const [x = '', y = '', z = ''] = ['x', 'y', 'z'].map((guid) => keys.get(itemId(`news:${guid}`)));
    expect([x, 'K', y, 'M', z].toSorted()).toEqual([x, 'K', y, 'M', z]);
    expect(keys.size).toBe(3);
  });

  test('moves the one item that stands elsewhere now, and none where nothing moved', () => {
    const before = stored(['a', 'A'], ['b', 'B'], ['c', 'C'], ['d', 'D']);
    expect(finish(orderFeed('news', feed(['a'], ['b'], ['c'], ['d']), before)).keys.size).toBe(0);
    expect([...finish(orderFeed('news', feed(['b'], ['c'], ['d'], ['a']), before)).keys.keys()]).toEqual([
      'news:a',
    ]);
  });

  test('gives the second of two items with the same key another one, so that anything fits between', () => {
    const { keys } = finish(
      orderFeed('news', feed(['a'], ['x'], ['b'], ['c']), stored(['a', 'A'], ['b', 'A'], ['c', 'C'])),
    );
    const [x = '', b = ''] = ['x', 'b'].map((guid) => keys.get(itemId(`news:${guid}`)));
    expect(['A', x, b, 'C'].toSorted()).toEqual(['A', x, b, 'C']);
    expect([keys.size, x + b]).toEqual([2, expect.not.stringContaining('-')]);
  });

  test('gives a key to an item that returns and to one without a key', () => {
    expect([
      ...finish(
        orderFeed('news', feed(['a'], ['b'], ['c']), stored(['b'], ['a', 'A'], ['c', 'C', true])),
      ).keys.keys(),
    ]).toEqual(['news:b', 'news:c']);
  });

  test('names the live items that the document does not have any more', () => {
    expect(
      finish(orderFeed('news', feed(['b']), stored(['a', 'A'], ['b', 'B'], ['c', 'C', true]))).gone,
    ).toEqual(['news:a']);
  });

  test(
    'takes the newest of those with the same guid where it stands, and the first of those with the ' +
      'same date',
    () => {
      const { ids } = finish(orderFeed('news', feed(['a', 2], ['b'], ['a', 3], ['a', 3], ['b']), []));
      expect([...ids]).toEqual([
        [1, 'news:b'],
        [2, 'news:a'],
      ]);
    },
  );
});

test('a feed of many items is ordered in short steps', () => {
  const names = Array.from({ length: 1000 }, (_, n): [string] => [`${n}`]);
  const steps = orderFeed('news', feed(...names), stored(...names));
  let count = 0;
  while (steps.next().done !== true) count += 1;
  expect(count).toBeGreaterThan(4000);
});
