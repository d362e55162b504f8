import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway } from '../gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../gateway/gateway-under-test.ts';

const path = '/v1/collections/edited/items';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
  await gateway.send('PUT', '/v1/collections/edited');
  await gateway.send('POST', path, { id: 'one', title: 'Edit 100' });
});
afterAll(() => gateway.close());

/** Characters of the item, as its collection publishes it, after this edit. */
async function lengthAfter(edit: number): Promise<number> {
  const edited = await gateway.send('PUT', `${path}/one`, { title: `Edit ${edit}` });
  expect(edited.status).toBe(200);
  const read = await gateway.send('GET', `${path}/one`, undefined, { accept: 'application/atom+xml' });
  return (await read.text()).length;
}

test('an item of a new collection does not grow with the number of its edits', async () => {
  const lengths: number[] = [];
  for (let edit = 101; edit <= 130; edit += 1) lengths.push(await lengthAfter(edit));
  // The numbers of its updates have up to two digits.
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(2);
});
