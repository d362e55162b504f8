import { describe, expect, test } from '@jest/globals';
import { arrange, type Branch } from './arrange.ts';
import { keyBetween } from './key.ts';
import { itemId } from '#core';
import type { ItemId, Placed } from '#core';
import type { Position } from '#core';
import { placeItems } from './place-items.ts';

const aId = itemId('a');
const bId = itemId('b');
const cId = itemId('c');
const mId = itemId('m');
const nId = itemId('n');

function items(positions: Readonly<Record<string, Position>>): Placed[] {
  return Object.entries(positions).map(([id, position]) => ({ id: itemId(id), position }));
}

function applied(before: readonly Placed[]): Placed[] {
  const assigned = placeItems(before);
  return before.map(({ id, position }) => ({ id, position: assigned.get(id)?.position ?? position }));
}

/** The tree as text: `a(b c) d`. */
function tree(branches: readonly Branch[]): string {
  return branches
    .map(({ item, children }) => item.id + (children.length > 0 ? `(${tree(children)})` : ''))
    .join(' ');
}

/** How the tree is shown before it is placed, which is how it is shown after that. */
function order(positions: Readonly<Record<string, Position>>): string {
  const before = items(positions);
  const after = applied(before);
  expect(tree(arrange(after))).toBe(tree(arrange(before)));
  expect(applied(before.toReversed()).toReversed()).toEqual(after);
  expect(placeItems(after).size).toBe(0);
  return tree(arrange(before));
}

describe('cycle detection (4.4.2)', () => {
  test(
    'brings the item with the lowest id of a cycle to the root, where it keeps its key, and reports a ' +
      'conflict',
    () => {
      const ring = items({
        c: { parent: 'b', key: 'V' },
        a: { parent: 'c', key: 'W' },
        b: { parent: 'a', key: 'X' },
      });
      expect([...placeItems(ring)]).toEqual([['a', { position: { key: 'W' }, isReparented: true }]]);
      expect(tree(arrange(applied(ring)))).toBe('a(b(c))');
    },
  );

  test('compares ids by code point', () => {
    const ring = items({
      '\u{1f600}': { parent: '\uff5e', key: 'V' },
      '\uff5e': { parent: '\u{1f600}', key: 'V' },
    });
    expect([...placeItems(ring).keys()]).toEqual(['\uff5e']);
  });

  test('leaves an item alone that hangs on a cycle without being in it, even one with a lower id', () => {
    expect(
      order({ a: { parent: 'c', key: 'V' }, b: { parent: 'c', key: 'V' }, c: { parent: 'b', key: 'V' } }),
    ).toBe('b(c(a))');
  });

  test('takes an item that is its own parent to the root', () => {
    expect(order({ a: { parent: 'a', key: 'V' } })).toBe('a');
  });

  test('breaks every cycle at once', () => {
    expect(
      order({
        a: { parent: 'b', key: 'V' },
        b: { parent: 'a', key: 'V' },
        c: { parent: 'd', key: 'W' },
        d: { parent: 'c', key: 'V' },
      }),
    ).toBe('a(b) c(d)');
  });

  test(
    'leaves an item below a parent that is missing, and shows it below the root until the parent is ' +
      'there',
    () => {
      const waiting = { b: { parent: 'a', key: 'V' } };
      expect(placeItems(items(waiting)).size).toBe(0);
      expect(order(waiting)).toBe('b');
      expect(order({ ...waiting, a: { key: 'V' } })).toBe('a(b)');
    },
  );
});

describe('placing what was read from the order of a document (3.2)', () => {
  const assigned = { a: { key: 'B' }, b: { key: 'M' }, c: { key: 'X' } };

  test(
    'puts an item right after the one that it names, first if it names none, last if that one is ' +
      'unknown or elsewhere',
    () => {
      expect(order({ ...assigned, n: { after: aId, before: bId } })).toBe('a n b c');
      expect(order({ ...assigned, n: { after: aId, before: itemId('x') } })).toBe('a n b c');
      expect(order({ ...assigned, n: { after: '', before: aId } })).toBe('n a b c');
      expect(order({ ...assigned, n: { after: '' } })).toBe('n a b c');
      expect(order({ ...assigned, n: { after: cId } })).toBe('a b c n');
      expect(order({ ...assigned, n: { after: itemId('x') } })).toBe('a b c n');
      expect(order({ ...assigned, d: { parent: 'a', key: 'V' }, n: { after: itemId('d') } })).toBe(
        'a(d) b c n',
      );
      expect(order({ ...assigned, n: { after: nId } })).toBe('a b c n');
    },
  );

  test('puts several after the same one in order of id, each followed by those after it', () => {
    expect(
      order({
        ...assigned,
        o: { after: aId, before: itemId('x') },
        n: { after: aId, before: itemId('x') },
        p: { after: nId, before: itemId('x') },
      }),
    ).toBe('a n p o b c');
  });

  test(
    'puts an item at its location between the two that it names, so that the ids decide among those ' +
      'that were put there',
    () => {
      for (const id of ['n', 'o']) {
        const keys = { [id]: { key: keyBetween('B', 'M') } };
        for (const other of ['m', 'p'])
          expect(order({ ...assigned, ...keys, [other]: { after: 'a', before: 'b' } })).toBe(
            other === 'm' ? `a m ${id} b c` : `a ${id} p b c`,
          );
      }
      expect(
        order({
          ...assigned,
          o: { key: keyBetween(undefined, 'B') },
          n: { after: '', before: aId },
          p: { after: '', before: aId },
        }),
      ).toBe('n o p a b c');
      expect(order({ ...assigned, o: { key: keyBetween('X') }, n: { after: cId }, p: { after: cId } })).toBe(
        'a b c n o p',
      );
    },
  );

  test(
    'puts several that are adjacent at their location in the order of the document, whatever else is ' +
      'there',
    () => {
      const inserted = { o: { key: keyBetween('B', 'M') } };
      expect(
        order({ ...assigned, ...inserted, n: { after: aId, before: mId }, m: { after: nId, before: bId } }),
      ).toBe('a n o m b c');
    },
  );

  test('puts the first items of two endpoints below one parent in the order of their ids', () => {
    expect(order({ b: { key: keyBetween() }, a: { after: '' } })).toBe('a b');
    expect(
      order({ b: { key: keyBetween() }, c: { after: '', before: itemId('d') }, d: { after: cId } }),
    ).toBe('b c d');
  });

  test('takes over a whole document that has no keys', () => {
    expect(
      order({
        r: { after: itemId('s') },
        s: { after: '' },
        t: { after: itemId('r') },
        u: { parent: 's', after: '' },
        v: { parent: 's', after: itemId('u') },
      }),
    ).toBe('s(u v) r t');
  });

  test('keeps a key with which the item is already in the right position', () => {
    const moved = placeItems(items({ ...assigned, b: { key: 'M', after: aId } }));
    expect([...moved]).toEqual([['b', { position: { key: 'M' }, isReparented: false }]]);
    const joined = placeItems(items({ ...assigned, n: { after: aId }, b: { key: 'M', after: nId } }));
    expect(joined.get(bId)?.position.key).toBe('M');
    expect(order({ ...assigned, n: { after: aId }, b: { key: 'M', after: nId } })).toBe('a n b c');
    expect(order({ ...assigned, d: { key: 'M', after: bId, before: cId } })).toBe('a b d c');
    expect(
      placeItems(items({ ...assigned, d: { key: 'M', after: bId, before: cId } })).get(itemId('d'))?.position
        .key,
    ).toBe('M');
  });

  test('keeps the key of an item whose document shows it between two others, whatever is between', () => {
    expect(order({ ...assigned, d: { key: 'Z' }, c: { key: 'X', after: aId, before: itemId('d') } })).toBe(
      'a b c d',
    );
    expect(order({ ...assigned, c: { key: 'X', after: '' } })).toBe('a b c');
  });

  test('replaces a key that would put the item elsewhere', () => {
    expect(order({ ...assigned, c: { key: 'X', after: '', before: aId } })).toBe('c a b');
    expect(
      order({
        ...assigned,
        c: { key: 'X', after: '', before: bId },
        b: { key: 'M', after: cId, before: aId },
      }),
    ).toBe('c b a');
  });

  test('puts an item between two siblings that share a key, and leaves theirs alone', () => {
    const equal = { x: { key: 'B' }, a: { key: 'M' }, b: { key: 'M' }, c: { key: 'M' } };
    const between = { m: { after: 'a', before: 'b' } };
    expect(order({ ...equal, ...between })).toBe('x a m b c');
    expect([...placeItems(items({ ...equal, ...between })).keys()]).toEqual(['m']);
    expect(order({ ...equal, m: { after: aId, before: itemId('nobody') } })).toBe('x a m b c');
    expect(order({ ...equal, m: { after: bId, before: cId }, n: { after: mId, before: cId } })).toBe(
      'x a b m n c',
    );
  });

  test(
    'gives what goes between two siblings that share a key the same key everywhere, so that the ids ' +
      'decide there too',
    () => {
      const equal = { a: { key: 'M' }, b: { key: 'M' } };
      const keyOf = (id: string, positions: Readonly<Record<string, Position>>) =>
        placeItems(items({ ...positions, [id]: { after: 'a', before: 'b' } })).get(itemId(id))?.position ??
        {};
      const [m, n] = [keyOf('m', equal), keyOf('n', { ...equal, z: { key: 'X' } })];
      expect(m).toEqual(n);
      expect(order({ ...equal, n, m })).toBe('a m n b');
      expect(order({ ...equal, n, m, o: { after: mId, before: nId } })).toBe('a m o n b');
      expect(order({ ...equal, m, l: { after: aId, before: mId }, o: { after: mId, before: bId } })).toBe(
        'a l m o b',
      );
    },
  );

  test('puts items last whose names form a ring', () => {
    expect(order({ ...assigned, n: { after: itemId('o') }, o: { after: nId } })).toBe('a b c n o');
  });

  test('places an item that was brought to the root, too', () => {
    expect(order({ a: { parent: 'b', after: '' }, b: { parent: 'a', key: 'V' }, c: { key: 'V' } })).toBe(
      'a(b) c',
    );
  });
});

describe('100,000 items', () => {
  const count = 100_000;
  const id = (index: number): ItemId => itemId(`item-${(index * 7919) % count}`);

  test('in one chain, in one ring, and in one row without keys are placed', () => {
    const chain = Array.from({ length: count }, (_, index) => ({
      id: id(index),
      position: { ...(index > 0 && { parent: id(index - 1) }), key: 'V' },
    }));
    expect(placeItems(chain).size).toBe(0);
    const ring = chain.map((item, index) =>
      index === 0 ? { ...item, position: { parent: id(count - 1), key: 'V' } } : item,
    );
    expect([...placeItems(ring)]).toEqual([['item-0', { position: { key: 'V' }, isReparented: true }]]);
    const row = Array.from({ length: count }, (_, index) => ({
      id: id(index),
      position: { after: index === 0 ? '' : id(index - 1) },
    }));
    const keys = placeItems(row);
    expect(arrange(row).map(({ item }) => item)).toEqual(row);
    expect(Math.max(...[...keys.values()].map(({ position }) => position.key?.length ?? 0))).toBe(3);
  });

  test('after the same one are placed', () => {
    const fan = Array.from({ length: count }, (_, index) => ({ id: id(index), position: { after: '' } }));
    expect(placeItems(fan).size).toBe(count);
  });
});
