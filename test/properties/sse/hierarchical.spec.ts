import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { settlePositions } from '#sse';
import type { Placed } from '#sse';
import { runs } from '../feedsync/runs.ts';
import { literalCycleDetection } from './literal-cycle.ts';
import { expectAgreement } from './placed-agreement.ts';
import { anyStory, PlacedMesh } from './placed-mesh.ts';

const anyForest: fc.Arbitrary<Placed[]> = fc.integer({ min: 1, max: 30 }).chain((count) =>
  fc.array(fc.option(fc.nat(count), { nil: undefined }), { minLength: count, maxLength: count }).map((parents) =>
    parents.map((parent, index) => ({ id: `item-${(index * 11) % count}-${index}`, position: { key: 'V', ...(parent !== undefined && { parent: `item-${(parent * 11) % count}-${parent}` }) } })),
  ),
);

describe('cycle detection', () => {
  test('reparents the items that the text of 4.4.2, taken word by word, does', () => {
    fc.assert(
      fc.property(anyForest, (items) => {
        const reparented = [...settlePositions(items)].filter(([, { isReparented }]) => isReparented).map(([id]) => id);
        expect(new Set(reparented)).toEqual(literalCycleDetection(items));
      }),
      runs(3000),
    );
  });

  test('leaves nothing for a second time, whatever the order of the items', () => {
    fc.assert(
      fc.property(anyForest, fc.infiniteStream(fc.nat()), (items, order) => {
        const settled = settlePositions(items);
        const shuffled = items.map((item) => ({ item, at: order.next().value })).sort((a, b) => a.at - b.at).map(({ item }) => item);
        expect(settlePositions(shuffled)).toEqual(settled);
        expect(settlePositions(items.map(({ id, position }) => ({ id, position: settled.get(id)?.position ?? position }))).size).toBe(0);
      }),
      runs(1000),
    );
  });
});

describe('2 to 5 endpoints that share a hierarchy', () => {
  test('end with the same items and the same tree, without a cycle, after moves that were made at the same time', () => {
    fc.assert(
      fc.property(anyStory(true, 0), (story) => {
        expectAgreement(new PlacedMesh(story), story);
      }),
      runs(300),
    );
  });

  test('do so where one of them knows nothing but the order of documents', () => {
    fc.assert(
      fc.property(anyStory(true, 1), (story) => {
        expectAgreement(new PlacedMesh(story), story);
      }),
      runs(300),
    );
  });
});
