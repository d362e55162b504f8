import { expect, test } from '@jest/globals';
import type { StoredUsage } from '#core';
import { StoredLimits } from './stored-limits.ts';

const nothing = { items: 0, bytes: 0, files: 0 };
const some = (items: number): StoredUsage => ({ ...nothing, items });

/** Limits of 1,000 items over a usage that is set by hand, and how often it was read. */
function underTest() {
  let [now, usage, reads] = [0, nothing as StoredUsage, 0];
  const refused: string[] = [];
  const limits = new StoredLimits({
    store: {
      tenants: {
        find: async () => undefined,
        counted: async () => {},
        stored: async () => {
          reads += 1;
          return usage;
        },
      },
    },
    clock: { now: () => new Date(now) },
    defaults: { items: 1000, bytes: 1000, files: 10 },
    refused: ({ what, source }) => void refused.push(`${what}, ${source}`),
  });
  return {
    limits,
    refused,
    reads: () => reads,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    stored: (items: number) => {
      usage = some(items);
    },
    /** Which of several pieces are admitted, and whether little is left. */
    admit: async (...pieces: readonly StoredUsage[]): Promise<readonly [boolean[], boolean]> => {
      const { exceeded, isNear } = await limits.admit('acme', pieces);
      return [exceeded.map((limit) => limit === undefined), isNear];
    },
  };
}

test('the usage is read once in a second, until a hundredth of what is left is taken', async () => {
  const { admit, reads, pass } = underTest();
  for (let item = 0; item < 10; item += 1) expect(await admit(some(1))).toEqual([[true], false]);
  expect(reads()).toBe(1);
  await admit(some(1));
  expect(reads()).toBe(2);
  pass(999);
  await admit(some(1));
  expect(reads()).toBe(2);
  pass(1);
  await admit(some(1));
  expect(reads()).toBe(3);
});

test('near the limit it is read for each write, and what fits is admitted', async () => {
  const { admit, reads, stored, refused } = underTest();
  stored(998);
  expect(await admit(some(1), some(1), some(1), some(0))).toEqual([[true, true, false, true], true]);
  stored(1000);
  expect(await admit(some(1))).toEqual([[false], false]);
  expect(reads()).toBe(2);
  expect(refused).toEqual(['items, setting TENANT_ITEMS', 'items, setting TENANT_ITEMS']);
});

test('what shrinks is admitted without reading anything, also above a limit', async () => {
  const { admit, reads, stored } = underTest();
  stored(5000);
  expect(await admit(some(-1), { ...nothing, bytes: -9 })).toEqual([[true, true], false]);
  expect(reads()).toBe(0);
});

test('those who ask at the same time share a reading, and do not exceed the limit together', async () => {
  const { admit, reads, stored } = underTest();
  stored(995);
  const admitted = await Promise.all(Array.from({ length: 20 }, () => admit(some(1))));
  expect(admitted.filter(([[isAdmitted]]) => isAdmitted)).toHaveLength(5);
  expect(reads()).toBe(1);
});

test('what is being written counts until it is released', async () => {
  const { limits, admit, stored } = underTest();
  stored(998);
  await limits.admit('acme', [some(2)], true);
  expect(await admit(some(1))).toEqual([[false], true]);
  limits.release('acme', some(2));
  expect(await admit(some(1))).toEqual([[true], true]);
});

test('what is released while the usage is read is not forgotten', async () => {
  const { limits, admit, stored, reads } = underTest();
  stored(998);
  await limits.admit('acme', [some(2)], true);
  const asked = admit(some(1));
  // The reading has begun, and does not know what is stored in the meantime.
  stored(1000);
  limits.release('acme', some(2));
  expect(await asked).toEqual([[false], false]);
  expect(reads()).toBe(3);
});
