import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isItemSubsumedBy, merge, type Item } from '#feedsync';
import { essence } from './essence.ts';
import { anyStory, meshOf, type Story } from './mesh.ts';
import { runs } from './runs.ts';

const together = (x: Item<string>, y: Item<string>): Item<string> => merge(x, y).item;

const picks = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 10, maxLength: 10 });

/** Tries some of the triples of states that honest endpoints were in at any time. */
function forTriples(
  story: Story,
  triples: readonly (readonly [number, number, number])[],
  check: (a: Item<string>, b: Item<string>, c: Item<string>) => void,
): void {
  const { published } = meshOf(story);
  const pick = (index: number): Item<string> => published[index % published.length] as Item<string>;
  for (const [a, b, c] of triples) check(pick(a), pick(b), pick(c));
}

describe('merging states of honest endpoints', () => {
  test('is idempotent', () => {
    fc.assert(
      fc.property(anyStory, picks, (story, triples) => {
        forTriples(story, triples, (a, b) => {
          const once = together(a, b);
          expect(together(once, a)).toBe(once);
          expect(together(once, b)).toBe(once);
          expect(together(a, a)).toBe(a);
        });
      }),
      runs(400),
    );
  });

  test('is commutative', () => {
    fc.assert(
      fc.property(anyStory, picks, (story, triples) => {
        forTriples(story, triples, (a, b) =>
          expect(essence(together(a, b))).toEqual(essence(together(b, a))),
        );
      }),
      runs(400),
    );
  });

  test('is associative', () => {
    fc.assert(
      fc.property(anyStory, picks, (story, triples) => {
        forTriples(story, triples, (a, b, c) =>
          expect(essence(together(together(a, b), c))).toEqual(essence(together(a, together(b, c)))),
        );
      }),
      runs(400),
    );
  });

  test('never leaves a version beside one that subsumes it', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        for (const state of meshOf(story).published) {
          const versions = [state, ...state.conflicts];
          for (const x of versions) expect(versions.filter((y) => isItemSubsumedBy(x, y))).toEqual([x]);
        }
      }),
      runs(400),
    );
  });
});
