import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CountedStore } from '../../support/growth/counted-store.ts';
import { collectResynced, sweepResynced } from '../../support/growth/resync.ts';

let under: CountedStore;
beforeAll(async () => {
  under = await CountedStore.open();
});
afterAll(() => under.close());

test('the sweep after a resync reads in proportion to the items', async () => {
  const documents: number[] = [];
  for (const count of [400, 1600]) {
    const name = `of-${count}`;
    await collectResynced(under, name, count);
    const { discarded, ...cost } = await sweepResynced(under, name);
    expect(discarded).toBe(count / 2);
    documents.push(cost.documents / count);
  }
  const [few = 0, many = 0] = documents;
  expect(many).toBeLessThan(few * 1.1);
});
