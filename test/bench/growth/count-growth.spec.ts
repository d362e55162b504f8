import { expect, test } from '@jest/globals';
import { countGrowth, growthLines } from './count-growth.ts';
import type { GrowthCase } from './growth-case.ts';

/** A case with operations that stay and documents that grow; it keeps the sizes that it was counted at. */
function scripted(): { readonly sizes: number[]; readonly growthCase: GrowthCase } {
  const sizes: number[] = [];
  const growthCase: GrowthCase = {
    name: 'a look',
    unit: 'rows',
    sizes: [10, 1000],
    count: async (size) => {
      sizes.push(size);
      return { operations: 2, documents: size * 3, 'rows seen twice': size > 100 ? 1 : 0 };
    },
  };
  return { sizes, growthCase };
}

test('a case is counted at both of its sizes, multiplied by the scale', async () => {
  const { sizes, growthCase } = scripted();
  const { counts } = await countGrowth(growthCase, { rounds: 1, size: 0.5 });
  expect(sizes).toEqual([5, 500]);
  expect(counts).toEqual([
    { size: 5, counts: { operations: 2, documents: 15, 'rows seen twice': 0 } },
    { size: 500, counts: { operations: 2, documents: 1500, 'rows seen twice': 1 } },
  ]);
});

test('each count of the larger size is printed as a multiple of the smaller one', async () => {
  const result = await countGrowth(scripted().growthCase, { rounds: 1, size: 1 });
  expect(growthLines(result)).toEqual([
    '  a look',
    '    10 rows:                 2 operations, 30 documents, 0 rows seen twice',
    '    1000 rows:               2 operations (1.0 ×), 3000 documents (100.0 ×), 1 rows seen twice (from 0)',
  ]);
});
