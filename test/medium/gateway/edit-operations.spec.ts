import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { PrivateMongodb } from '../../support/private-mongodb.ts';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** What it counts for the whole server is then of this gateway alone. */
let mongodb: PrivateMongodb;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  mongodb = await PrivateMongodb.start();
  gateway = await startGateway({ MONGODB_URI: mongodb.uri });
  await gateway.send('PUT', '/v1/collections/edited');
  await putAll(100, 'POST', 201);
  await gateway.publish('edited');
});
afterAll(async () => {
  await gateway.close();
  await mongodb.end();
});

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

test.each([1, 100])('following %i edits takes five operations', async (count) => {
  await putAll(count);
  expect(await namesOf(() => gateway.publish('edited'))).toEqual([
    'query changes',
    'query collections',
    'query items',
    'query notices',
    'update collections',
  ]);
});

/** How many commands of each kind the server has had so far: an update of many documents is one. */
async function commands(): Promise<{
  readonly ping: number;
  readonly update: number;
  readonly insert: number;
}> {
  const client = await new mongoose.mongo.MongoClient(mongodb.uri).connect();
  try {
    const { metrics } = await client.db('admin').command({ serverStatus: 1 });
    const { ping, update, insert } = (metrics as { commands: Record<string, { total: number }> }).commands;
    return { ping: ping?.total ?? 0, update: update?.total ?? 0, insert: insert?.total ?? 0 };
  } finally {
    await client.close();
  }
}

test('an edit takes two reads and a transaction; several at once share them', async () => {
  expect(await namesOf(() => putAll(1))).toEqual([
    'insert changes',
    'query collections',
    'query items',
    'update collections',
    'update items',
  ]);
  const before = await commands();
  const together = await namesOf(() => putAll(100));
  const after = await commands();
  const count = (wanted: string): number => together.filter((name) => name === wanted).length;
  expect(count('update items')).toBe(100);
  expect(after.update - before.update).toBeLessThan(100);
  expect(count('query collections')).toBeLessThan(100);
  expect(count('query items')).toBeLessThan(100);
  // Its reads tell whether MongoDB is there.
  expect(after.ping - before.ping).toBeLessThan(10);
});

test('several new items at once share their inserts, and the look at what was signed of them', async () => {
  const before = await commands();
  const names = await namesOf(async () => {
    const created = Array.from({ length: 100 }, async (_, place) => {
      const path = '/v1/collections/edited/items';
      return (await gateway.send('POST', path, { id: `new-${place}`, title: 'New' })).status;
    });
    expect(new Set(await Promise.all(created))).toEqual(new Set([201]));
  });
  expect((await commands()).insert - before.insert).toBeLessThan(100);
  const looks = names.filter((name) => name.startsWith('query issued'));
  expect(looks.length).toBeGreaterThan(0);
  expect(looks.length).toBeLessThan(100);
});
