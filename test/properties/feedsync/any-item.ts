import fc from 'fast-check';
import type { HistoryEntry, Item } from '#feedsync';
import { itemId } from '#core';

const endpoints = ['a', 'b', 'c', '\uff5e', '\u{1f600}', '__proto__'];
const times = ['2005-05-21T09:43:33Z', '2005-05-21T09:43:34Z', '2006-01-01T00:00:00Z'];

const entry: fc.Arbitrary<HistoryEntry> = fc
  .record({
    sequence: fc.integer({ min: 1, max: 4 }),
    when: fc.option(fc.constantFrom(...times), { nil: undefined }),
    by: fc.option(fc.constantFrom(...endpoints), { nil: undefined }),
  })
  .map(({ sequence, when, by }) =>
    when === undefined && by === undefined
      ? { sequence, by: 'a' }
      : { sequence, ...(when !== undefined && { when }), ...(by !== undefined && { by }) },
  );

const version: fc.Arbitrary<Item<number>> = fc
  .record({
    updates: fc.integer({ min: 1, max: 4 }),
    deleted: fc.boolean(),
    noconflicts: fc.constantFrom(undefined, undefined, undefined, false, true),
    history: fc.array(entry, { minLength: 1, maxLength: 4 }),
    data: fc.nat(),
  })
  .map(({ updates, deleted, noconflicts, history, data }) => ({
    sync: {
      id: itemId('item'),
      updates,
      deleted,
      ...(noconflicts !== undefined && { noconflicts }),
      history,
    },
    data,
    conflicts: [],
  }));

/**
 * Two items as anybody might send them: entries without `by` or without `when`, repeated versions, conflicts
 * that win over their item or are subsumed by it, histories that contradict each other, some versions on both
 * sides.
 */
export const anyTwoItems: fc.Arbitrary<readonly [Item<number>, Item<number>]> = fc
  .record({
    local: fc.array(version, { minLength: 1, maxLength: 5 }),
    incoming: fc.array(version, { minLength: 1, maxLength: 5 }),
    repeated: fc.array(fc.record({ from: fc.nat(9), to: fc.nat(9), data: fc.nat() }), { maxLength: 3 }),
  })
  .map(({ local, incoming, repeated }) => {
    const all = [...local, ...incoming];
    for (const { from, to, data } of repeated) {
      const source = all[from % all.length];
      if (source !== undefined) all[to % all.length] = { ...source, data };
    }
    return [assembled(all.slice(0, local.length)), assembled(all.slice(local.length))] as const;
  });

function assembled(versions: readonly Item<number>[]): Item<number> {
  const [item, ...conflicts] = versions;
  if (item === undefined) throw new Error('at least one version');
  return { ...item, conflicts };
}
