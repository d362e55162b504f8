import { beforeAll, expect, test } from '@jest/globals';
import { useGateway } from '../gateway/use-gateway.ts';

const gateway = useGateway();
beforeAll(async () => {
  await gateway.send('PUT', '/v1/collections/edited');
});

/** How many entries the history of the item has after each of so many edits. */
async function edited(path: string, edits: number): Promise<number[]> {
  const lengths: number[] = [];
  await gateway.send('POST', path, { id: 'one', title: 'Edit 0' });
  for (let edit = 1; edit <= edits; edit += 1) {
    const response = await gateway.send('PUT', `${path}/one`, { title: `Edit ${edit}` });
    const { sync } = (await response.json()) as { sync: { updates: number; history: unknown[] } };
    expect(sync.updates).toBe(edit + 1);
    lengths.push(sync.history.length);
  }
  return lengths;
}

test('a history in a new collection has 50 entries at most, however many edits there are', async () => {
  const lengths = await edited('/v1/collections/edited/items', 120);
  expect(lengths.slice(0, 51)).toEqual([...Array.from({ length: 49 }, (_, place) => place + 2), 1, 2]);
  expect(Math.max(...lengths)).toBe(50);
});

test('it has as many as the collection says, or all', async () => {
  await gateway.send('PUT', '/v1/collections/short', { settings: { historyLimit: 3 } });
  expect(await edited('/v1/collections/short/items', 6)).toEqual([2, 3, 1, 2, 3, 1]);
  await gateway.send('PUT', '/v1/collections/short', { settings: { historyLimit: null } });
  const put = await gateway.send('PUT', '/v1/collections/short/items/one', { title: 'Last' });
  expect(await put.json()).toMatchObject({
    sync: { updates: 8, history: [{ sequence: 8 }, { sequence: 7 }] },
  });
});
