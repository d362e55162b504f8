import { afterEach, expect, jest, test } from '@jest/globals';
import { problemIn, startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

let gateway: GatewayUnderTest;
afterEach(() => gateway.close());

/** Makes a tree with a file; returns the address of that. */
async function fileOf(collection: string): Promise<string> {
  await gateway.send('PUT', `/v1/collections/${collection}`, { protocol: 'cse' });
  const headers = { 'content-type': 'text/plain' };
  const uploaded = await gateway.send('POST', `/v1/collections/${collection}/files`, 'some bytes', headers);
  return ((await uploaded.json()) as { url: string }).url;
}

/** Has the next file that is read stop in the middle; returns what has it go on. */
function holdNext(): () => void {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  jest.spyOn(gateway.store.contents, 'read').mockImplementationOnce(async function* () {
    yield Buffer.from('some ');
    await released;
    yield Buffer.from('bytes');
  });
  return release;
}

test('a file counts among the downloads, of which there are GATEWAY_DOWNLOADS at a time', async () => {
  gateway = await startGateway({ GATEWAY_DOWNLOADS: '1' });
  const url = await fileOf('tree');
  const release = holdNext();
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

test('of these a tenant has GATEWAY_TENANT_DOWNLOADS, and others have theirs beside them', async () => {
  gateway = await startGateway({ GATEWAY_DOWNLOADS: '3', GATEWAY_TENANT_DOWNLOADS: '1' });
  for (const tenant of ['acme', 'other']) await gateway.send('PUT', `/v1/tenants/${tenant}`, {});
  const [own, other] = [await fileOf('acme.tree'), await fileOf('other.tree')];
  const release = holdNext();
  const first = await fetch(own);
  for (const url of [own, `${gateway.url}/feeds/acme.tree.rss`]) {
    const refused = await fetch(url);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await problemIn(refused)).toMatchObject({
      status: 429,
      rule: 'tenant-throttled',
      detail: expect.stringContaining('GATEWAY_TENANT_DOWNLOADS'),
    });
  }
  expect(await (await fetch(other)).text()).toBe('some bytes');
  release();
  expect(await first.text()).toBe('some bytes');
  expect(await (await fetch(own)).text()).toBe('some bytes');
});
