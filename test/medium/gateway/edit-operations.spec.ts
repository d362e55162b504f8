import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
  await gateway.send('PUT', '/v1/collections/edited');
  await putAll(100, 'POST', 201);
  await gateway.publish('edited');
});
afterAll(() => gateway.close());

async function putAll(count: number, method = 'PUT', status = 200): Promise<void> {
  const answers = Array.from({ length: count }, async (_, place) => {
    const path = `/v1/collections/edited/items${method === 'POST' ? '' : `/${place}`}`;
    const id = method === 'POST' ? { id: String(place) } : {};
    return (await gateway.send(method, path, { ...id, title: `${method} ${Math.random()}` })).status;
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set([status]));
}

async function namesOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await gateway.operations(work)).map(({ name }) => name).sort();
}

test.each([1, 100])('publishing %i gathered edits takes ten operations', async (count) => {
  await putAll(count);
  expect(await namesOf(() => gateway.publish('edited'))).toEqual([
    'findAndModify collections',
    'insert changes',
    // What is found at first, and whether there is more.
    'query changes',
    'query items',
    'query items',
    'query notices',
    'query notices',
    'update collections',
    'update collections',
    'update items',
  ]);
});

/** How many pings the server has had so far. */
async function pings(): Promise<number> {
  const client = await new mongoose.mongo.MongoClient(process.env['MONGODB_URI'] ?? '').connect();
  try {
    const { metrics } = await client.db('admin').command({ serverStatus: 1 });
    return (metrics as { commands: { ping: { total: number } } }).commands.ping.total;
  } finally {
    await client.close();
  }
}

test('an edit takes a ping, two reads and a write; several at once share all but the write', async () => {
  expect(await namesOf(() => putAll(1))).toEqual(['query collections', 'query items', 'update items']);
  const before = await pings();
  const together = await namesOf(() => putAll(100));
  const count = (wanted: string): number => together.filter((name) => name === wanted).length;
  expect(count('update items')).toBe(100);
  expect(count('query collections')).toBeLessThan(100);
  expect(count('query items')).toBeLessThan(100);
  expect((await pings()) - before).toBeLessThan(100);
});
