import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { essence, greatest } from './essence.ts';
import { anyStory, meshOf } from './mesh.ts';
import { runs } from './runs.ts';

describe('2 to 6 endpoints, with lost, repeated and reordered deliveries', () => {
  test(
    'end with the same winner, the same conflicts and the same knowledge once everyone has heard from ' +
      'everyone',
    () => {
      fc.assert(
        fc.property(anyStory, fc.infiniteStream(fc.nat()), (story, order) => {
          const mesh = meshOf(story);
          const last = mesh.states.filter((state) => state !== undefined);
          for (const at of mesh.states.keys()) {
            const unheard = [...last];
            while (unheard.length > 0) {
              const [state] = unheard.splice(order.next().value % unheard.length, 1);
              if (state !== undefined) mesh.receive(at, state);
            }
          }
          const [first, ...others] = mesh.states;
          for (const other of others) expect(essence(other)).toEqual(essence(first));
        }),
        runs(600),
      );
    },
  );

  test('forget no version that was ever written, unless the item wants no conflicts kept', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const mesh = meshOf({ ...story, noconflicts: false });
        for (const state of mesh.states)
          for (const other of mesh.states)
            if (state !== undefined && other !== undefined) mesh.receive(0, other);
        const [end] = mesh.states;
        const known = new Map(end && greatest([end, ...end.conflicts].map((version) => version.sync)));
        for (const { by, sequence } of mesh.written) expect(known.get(by)).toBeGreaterThanOrEqual(sequence);
      }),
      runs(400),
    );
  });
});
