import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  compareVersions,
  latest,
  merge,
  preferEndpoint,
  resolveByPolicy,
  updateItem,
  type Choice,
  type Item,
} from '#feedsync';
import { anyStory, meshOf } from './mesh.ts';
import { runs } from './runs.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

const policies: readonly (readonly [name: string, choose: Choice<string>])[] = [
  ['latest', latest],
  ['prefer-endpoint', preferEndpoint('endpoint-1')],
  [
    'one that takes any version',
    (versions) =>
      Number.parseInt(
        digest(versions.map(({ data }) => data).join())
          .replace(/\D/g, '0')
          .slice(0, 6),
        10,
      ) % versions.length,
  ],
  ['one that writes new content', (versions) => ({ data: digest(versions.map(({ data }) => data).join()) })],
];

/** What happens once the policy is in force: deliveries of states new and old, and edits. */
const anyHappening = fc.record({
  at: fc.nat(5),
  from: fc.nat(5),
  stale: fc.option(fc.nat(), { freq: 3, nil: undefined }),
  isEdit: fc.nat(9).map((dice) => dice === 0),
});

describe('endpoints that all run the same policy', () => {
  test.each(policies)(
    'end with one version and go quiet, in a ring where each hears one other only: %s',
    (_, choose) => {
      fc.assert(
        fc.property(
          anyStory,
          fc.array(anyHappening, { maxLength: 30 }),
          fc.constantFrom(1, -1),
          fc.boolean(),
          (story, happenings, direction, isLockstep) => {
            const mesh = meshOf(story);
            const resolve = (item: Item<string>): Item<string> =>
              resolveByPolicy(item, { fingerprint: 'p', choose, digest });
            const heard = (item: Item<string>, other: Item<string>): Item<string> =>
              resolve(merge(item, other).item);
            const states = mesh.states.filter((state) => state !== undefined).map(resolve);
            const count = states.length;
            const state = (at: number): Item<string> =>
              states[((at % count) + count) % count] as Item<string>;
            for (const { at, from, stale, isEdit } of happenings) {
              const other =
                stale === undefined
                  ? state(from)
                  : (mesh.published[stale % mesh.published.length] as Item<string>);
              const author = { by: `editor-${at % count}`, when: `2005-05-22T00:00:0${at}Z` };
              states[at % count] = isEdit
                ? updateItem(state(at), { data: `edit ${state(at).sync.updates} of ${at}`, ...author })
                : heard(state(at), other);
            }
            for (let round = 0, isQuiet = false; !isQuiet; round += 1) {
              expect(round).toBeLessThan(20 * count);
              const before = [...states];
              for (const at of before.keys())
                states[at] = heard(
                  state(at),
                  isLockstep
                    ? (before[(at + direction + count) % count] as Item<string>)
                    : state(at + direction),
                );
              isQuiet = before.every((item, at) => item === states[at]);
            }
            for (const item of states) {
              expect(item.conflicts).toEqual([]);
              expect(compareVersions(item, state(0))).toBe(0);
              expect([item.data, item.sync.deleted]).toEqual([state(0).data, state(0).sync.deleted]);
            }
          },
        ),
        runs(200),
      );
    },
  );
});
