import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { problemIn, startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway({ GATEWAY_DOWNLOADS: '1' });
});
afterAll(() => gateway.close());

test('a file counts among the downloads, of which there are GATEWAY_DOWNLOADS at a time', async () => {
  await gateway.send('PUT', '/v1/collections/tree', { protocol: 'cse' });
  const uploaded = await gateway.send('POST', '/v1/collections/tree/files', 'some bytes', {
    'content-type': 'text/plain',
  });
  const { url } = (await uploaded.json()) as { url: string };
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  jest.spyOn(gateway.store.contents, 'read').mockImplementationOnce(async function* () {
    yield Buffer.from('some ');
    await released;
    yield Buffer.from('bytes');
  });
  // The header is there, and the rest of the file is not.
  const first = await fetch(url);
  expect(first.status).toBe(200);
  const refused = await fetch(url);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await problemIn(refused)).toMatchObject({
    status: 503,
    rule: 'too-many-readers',
    detail: expect.stringContaining('GATEWAY_DOWNLOADS'),
  });
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  release();
  expect(await first.text()).toBe('some bytes');
  const later = await fetch(url);
  expect([later.status, await later.text()]).toEqual([200, 'some bytes']);
});
