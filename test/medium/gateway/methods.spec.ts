import { beforeAll, describe, expect, test } from '@jest/globals';
import { description, describedRequests } from '../../support/described-requests.ts';
import { RawRequest } from '../../support/raw-request.ts';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const gateway = useGateway();
/** The methods that each path is described with, and what has to be in `Allow`. */
let allowed: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  await gateway.send('PUT', '/v1/collections/todo');
  await gateway.send('POST', '/v1/collections/todo/items', { id: 'a', title: 'An item' });
  const paths = new Map<string, Set<string>>();
  for (const { method, path } of await describedRequests(gateway.url))
    paths.set(path, (paths.get(path) ?? new Set(['OPTIONS'])).add(method));
  // A dead letter may have any name.
  for (const action of ['retry', 'discard'])
    for (const method of ['GET', 'DELETE']) paths.get(`/v1/dead-letters/${action}`)?.add(method);
  for (const found of paths.values()) if (found.has('GET')) found.add('HEAD');
  allowed = new Map([...paths].map(([path, found]) => [path, [...found].sort()]));
});

/** The header of a response to a request without a body. `fetch` can't send TRACE. */
async function head(
  method: string,
  path: string,
): Promise<{ status: number; allow: string | undefined; text: string }> {
  const raw = await RawRequest.open(gateway.url);
  raw.send(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await raw.closed;
  const [header = '', ...rest] = raw.received.split('\r\n\r\n');
  return {
    status: Number(header.slice(9, 12)),
    allow: /^allow: (.*)$/im.exec(header)?.[1],
    text: rest.join(''),
  };
}

describe('a known path', () => {
  test('refuses every method that it does not have, and names those that it has', async () => {
    expect(allowed.size).toBeGreaterThan(30);
    for (const [path, found] of allowed) {
      for (const method of methods.filter((method) => !found.includes(method))) {
        const { status, allow, text } = await head(method, path);
        expect([method, path, status, allow]).toEqual([method, path, 405, found.join(', ')]);
        expect(text).toContain(method === 'HEAD' ? '' : 'urn:feedmesh:problem:method-not-allowed');
      }
    }
  });

  test('says with OPTIONS which methods it has', async () => {
    for (const [path, found] of allowed)
      expect([path, await head('OPTIONS', path)]).toEqual([
        path,
        { status: 204, allow: found.join(', '), text: '' },
      ]);
  });

  test('responds to HEAD as to GET, without a body', async () => {
    for (const [path] of [...allowed].filter(([, found]) => found.includes('GET'))) {
      for (const query of path.endsWith('/changes') ? ['', '?mode=stream', '?mode=longpoll'] : ['']) {
        const { status, text } = await head('HEAD', path + query);
        expect([path, text]).toEqual([path, '']);
        if (query === '') expect([path, status]).toEqual([path, (await gateway.send('GET', path)).status]);
      }
    }
  });
});

test('an unknown path stays unknown, whatever the method', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
    expect([method, (await head(method, '/v1/nothing')).status]).toEqual([method, 404]);
});

test('a path whose parameter cannot be decoded is refused as such', async () => {
  expect((await head('GET', '/v1/collections/todo/items/%zz')).status).toBe(400);
});

test('the accepted patch types are named if PATCH is possible', async () => {
  const path = '/v1/collections/todo/items/a';
  const options = await gateway.send('OPTIONS', path);
  expect(options.headers.get('accept-patch')).toBe('application/merge-patch+json, application/json');
  const refused = await gateway.send('PATCH', path, '<entry xmlns="http://www.w3.org/2005/Atom"/>', {
    'content-type': 'application/atom+xml',
  });
  expect(refused.headers.get('accept-patch')).toBe('application/merge-patch+json, application/json');
  expect(await problemIn(refused)).toMatchObject({ status: 415, rule: 'unsupported-media-type' });
  const { paths } = await description(gateway.url);
  for (const described of [
    '/v1/collections/{collection}',
    '/v1/collections/{collection}/items/{id}',
    '/v1/collections/{collection}/subscriptions/{subscription}',
  ]) {
    expect(Object.keys(paths[described]?.['patch']?.requestBody?.content ?? {})).toEqual([
      'application/merge-patch+json',
      'application/json',
    ]);
  }
});
