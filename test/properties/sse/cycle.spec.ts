import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placeItems } from '#sse';
import { itemId } from '#core';
import type { Placed } from '#core';
import { runs } from '../feedsync/runs.ts';
import { literalCycleDetection } from './literal-cycle.ts';

const anyForest: fc.Arbitrary<Placed[]> = fc.integer({ min: 1, max: 30 }).chain((count) =>
  fc
    .array(fc.option(fc.nat(count), { nil: undefined }), { minLength: count, maxLength: count })
    .map((parents) =>
      parents.map((parent, index) => ({
        id: itemId(`item-${(index * 11) % count}-${index}`),
        position: {
          key: 'V',
          ...(parent !== undefined && { parent: `item-${(parent * 11) % count}-${parent}` }),
        },
      })),
    ),
);

describe('cycle detection', () => {
  test('reparents the items that the text of 4.4.2, taken word by word, does', () => {
    fc.assert(
      fc.property(anyForest, (items) => {
        const reparented = [...placeItems(items)]
          .filter(([, { isReparented }]) => isReparented)
          .map(([id]) => id);
        expect(new Set(reparented)).toEqual(literalCycleDetection(items));
      }),
      runs(1200),
    );
  });

  test('leaves nothing for a second time, whatever the order of the items', () => {
    fc.assert(
      fc.property(anyForest, fc.infiniteStream(fc.nat()), (items, order) => {
        const assigned = placeItems(items);
        const shuffled = items
          .map((item) => ({ item, at: order.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ item }) => item);
        expect(placeItems(shuffled)).toEqual(assigned);
        expect(
          placeItems(
            items.map(({ id, position }) => ({ id, position: assigned.get(id)?.position ?? position })),
          ).size,
        ).toBe(0);
      }),
      runs(400),
    );
  });
});
