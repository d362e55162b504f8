import { expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { Recount } from '#core';
import { recountTenants } from './recount-tenants.ts';

const clock = { now: () => new Date('2026-02-01T00:00:00Z') };
const hour = 3_600_000;

test('collections are counted until none is left; what was wrong is reported', async () => {
  const right = { items: 0, bytes: 0, files: 0 };
  const counts: Recount[] = [
    { collection: collectionKey('acme.a'), corrected: right },
    { collection: collectionKey('acme.b'), corrected: { ...right, bytes: -1 } },
    { collection: collectionKey('acme.c'), corrected: { ...right, items: 2, files: 1 } },
  ];
  const left = [...counts];
  const before: Date[] = [];
  const tenants = {
    recount: async (time: Date) => {
      before.push(time);
      return left.shift();
    },
  };
  const corrected: Recount[] = [];
  await recountTenants(
    { store: { tenants }, clock, corrected: (recount) => void corrected.push(recount) },
    hour,
  );
  expect(corrected).toEqual(counts.slice(1));
  expect(before).toEqual(Array.from({ length: 4 }, () => new Date('2026-01-31T23:00:00Z')));
});
