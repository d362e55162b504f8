import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isWinner, merge, type Item } from '#feedsync';
import { anyTwoItems } from './any-item.ts';
import { isWinning, literalMerge } from './literal-merge.ts';
import { runs } from './runs.ts';

describe('merge and the literal transcription of 3.3, on whatever anybody may send', () => {
  test('they keep the same versions, and the winner is one that no other beats', () => {
    fc.assert(
      fc.property(anyTwoItems, ([local, incoming]) => {
        const { W, M } = literalMerge(local, incoming);
        const { item } = merge(local, incoming);
        const winner = M.find((version) => version.data === item.data && version.sync === item.sync);
        expect(winner).toBeDefined();
        if (winner === undefined) return;
        // Where 3.3 picks by the order of an unordered list, the engine picks by the topmost sequence.
        expect(isWinning(W, winner) || isWinning(winner, W)).toBe(false);
        const kept = new Set(
          [winner, ...(winner.sync.noconflicts === true ? [] : M)].map((version) => version.sync),
        );
        expect(new Set([item, ...item.conflicts].map((version) => version.sync))).toEqual(kept);
        expect(item.conflicts).toHaveLength(kept.size - 1);
      }),
      runs(2000),
    );
  });

  test('the winner is the very same wherever 3.3 does not leave it to the order of a list', () => {
    fc.assert(
      fc.property(anyTwoItems, ([local, incoming]) => {
        const { W, M } = literalMerge(local, incoming);
        fc.pre(M.every((version) => version === W || isWinning(W, version)));
        expect(merge(local, incoming).item.sync).toBe(W.sync);
      }),
      runs(2000),
    );
  });

  test('isWinner picks as footnote 3 does', () => {
    fc.assert(
      fc.property(anyTwoItems, ([x, y]) => {
        expect(isWinner(x, y)).toBe(isWinning(x, y));
      }),
      runs(2000),
    );
  });

  test('a repeated delivery changes nothing', () => {
    fc.assert(
      fc.property(anyTwoItems, ([local, incoming]) => {
        const once = merge(local, incoming).item;
        const again = merge(once, once);
        expect(again.changed).toBe(false);
        expect(again.item).toBe(once);
      }),
      runs(2000),
    );
  });

  test('the result is called unchanged exactly if winner and conflicts are the local ones', () => {
    fc.assert(
      fc.property(anyTwoItems, ([any, incoming]) => {
        const local = merge(any, any).item;
        const { item, changed } = merge(local, incoming);
        const versionsOf = (of: Item) => new Set(of.conflicts.map((conflict) => conflict.sync));
        const same = item.sync === local.sync && isDeepStrictEqual(versionsOf(item), versionsOf(local));
        expect(changed).toBe(!same);
        expect(item === local).toBe(same);
      }),
      runs(2000),
    );
  });
});
