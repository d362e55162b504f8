import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
