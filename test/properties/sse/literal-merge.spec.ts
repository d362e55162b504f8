import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareVersions, isConflict, merge } from '#sse';
import type { Item } from '#sse';
import { runs } from '../feedsync/runs.ts';
import { collate, detectConflict, literalMerge } from './literal-merge.ts';
import { anyStory, meshOf, type Story } from './unordered-mesh.ts';

const picks = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 20, maxLength: 20 });

/** Tries some pairs of states that one item had anywhere at any time. */
function forPairs(
  story: Story,
  chosen: readonly (readonly [number, number, number])[],
  check: (local: Item<string>, incoming: Item<string>) => void,
): void {
  const { past } = meshOf(story);
  for (const [id, x, y] of chosen) {
    const states = past[id % past.length] ?? [];
    check(states[x % states.length] as Item<string>, states[y % states.length] as Item<string>);
  }
}

/** An item with its conflicts in an order that only depends on what they are. */
function inAnyOrder(item: Item): unknown {
  const conflicts = item.conflicts.map(({ version, when = '', by = '', item: held }) => ({
    version,
    when,
    by,
    held,
  }));
  return { ...item, conflicts: conflicts.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
}

describe('merge and the literal transcription of 4.4, 4.4.1 and 5.2, on the states of 2–5 endpoints', () => {
  test('they leave the same item', () => {
    fc.assert(
      fc.property(anyStory, picks, (story, chosen) => {
        forPairs(story, chosen, (local, incoming) => {
          const { item, changed } = merge(local, incoming);
          expect(inAnyOrder(item)).toEqual(inAnyOrder(literalMerge(local, incoming)));
          expect(changed).toBe(item !== local);
          if (changed) expect(item).not.toEqual(local);
        });
      }),
      runs(200),
    );
  });

  test('they agree on the winner and on what is a conflict', () => {
    fc.assert(
      fc.property(anyStory, picks, (story, chosen) => {
        forPairs(story, chosen, (x, y) => {
          expect(Math.sign(compareVersions(x, y))).toBe(Math.sign(collate(y, x)));
          if (collate(x, y) > 0) expect(isConflict(x, y)).toBe(detectConflict(x, y));
        });
      }),
      runs(200),
    );
  });

  test('a repeated delivery changes nothing', () => {
    fc.assert(
      fc.property(anyStory, picks, (story, chosen) => {
        forPairs(story, chosen, (local, incoming) => {
          const once = merge(local, incoming).item;
          for (const again of [incoming, local, once, structuredClone(once)])
            expect(merge(once, again)).toEqual({ item: once, changed: false });
        });
      }),
      runs(200),
    );
  });
});

describe('an unordered collection of 2 to 5 endpoints', () => {
  test(
    'has the same items, conflict flags and conflicts everywhere after two rounds of complete ' +
      'deliveries in any order',
    () => {
      fc.assert(
        fc.property(anyStory, fc.infiniteStream(fc.nat()), (story, order) => {
          const mesh = meshOf(story);
          const endpoints = [...mesh.states.keys()];
          const pairs = endpoints.flatMap((from) =>
            endpoints.filter((at) => at !== from).map((at) => [from, at] as const),
          );
          // In the first round the winners get everywhere, in the second one what each endpoint knows of
          // their conflicts.
          for (const isLast of [false, false, true]) {
            const waiting = [...pairs];
            while (waiting.length > 0) {
              const [[from, at] = [0, 0]] = waiting.splice(order.next().value % waiting.length, 1);
              const isChanged = mesh.deliverAll(from, at);
              if (isLast) expect(isChanged).toBe(false);
            }
          }
          const [first, ...others] = mesh.states;
          for (const other of others) expect(other).toEqual(first);
        }),
        runs(200),
      );
    },
  );

  test('keeps the version that wins over every other one that was ever written', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const { past } = meshOf(story);
        for (const states of past) {
          const end = states.reduce((item, state) => merge(item, state).item);
          for (const state of states) expect(compareVersions(end, state)).toBeLessThanOrEqual(0);
        }
      }),
      runs(200),
    );
  });
});
