import { expect, test } from '@jest/globals';
import { startGateway } from '../gateway/gateway-under-test.ts';
import { useGateway } from '../gateway/use-gateway.ts';

const origin = 'https://console.example';
const administrator = 'x'.repeat(40);
const gateway = useGateway({
  AUTH: 'required',
  AUTH_ADMIN_KEY: administrator,
  GATEWAY_ORIGINS: `${origin}, https://other.example:8443`,
});

const authorization = { authorization: `Bearer ${administrator}` };
const send = (method: string, headers: Record<string, string>): Promise<Response> =>
  gateway.send(method, '/v1/collections/todo', undefined, headers);

test('a page of a listed origin may use the API with a key', async () => {
  const preflight = await send('OPTIONS', {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization,if-match',
  });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': expect.stringContaining('PUT'),
    'access-control-allow-headers': 'authorization,if-match',
    'access-control-max-age': '600',
  });
  expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
  const put = await send('PUT', { origin, 'sec-fetch-site': 'cross-site', ...authorization });
  expect([put.status, put.headers.get('access-control-allow-origin')]).toEqual([201, origin]);
  expect(put.headers.get('access-control-expose-headers')).toContain('ETag');
  const without = await send('GET', { origin, 'sec-fetch-site': 'cross-site' });
  expect([without.status, without.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
});

test.each(['https://evil.example', 'https://console.example.evil.example', 'http://console.example', 'null'])(
  'a page of %s may not',
  async (other) => {
    const read = await send('GET', { origin: other, ...authorization });
    expect(read.headers.has('access-control-allow-origin')).toBe(false);
    const put = await send('PUT', { origin: other, 'sec-fetch-site': 'cross-site', ...authorization });
    expect(put.status).toBe(403);
  },
);

test('every response names its request: as a proxy does, or by an id of its own', async () => {
  const given = await send('GET', { 'x-request-id': 'proxy-7/a', ...authorization });
  expect(given.headers.get('x-request-id')).toBe('proxy-7/a');
  const ids = new Set<string | null>();
  for (const id of ['', 'a b', 'x'.repeat(129), 'é'])
    ids.add(
      (await send('GET', { 'x-request-id': encodeURI(id) === id ? id : 'a b' })).headers.get('x-request-id'),
    );
  expect(ids.size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test.each(['console.example', 'https://console.example/', 'https://console.example/path'])(
  'a gateway with the origin %s does not start',
  async (wrong) => {
    await expect(startGateway({ GATEWAY_ORIGINS: wrong })).rejects.toThrow(/GATEWAY_ORIGINS must be/);
  },
);
