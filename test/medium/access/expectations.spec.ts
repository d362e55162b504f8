import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IssuedKeyView, Permission } from '#contracts';
import { RawRequest } from '../../support/raw-request.ts';
import { until } from '../../support/until.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const items = '/v1/collections/todo/items';
const files = '/v1/collections/tree/files';
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

const gateway = useGateway({
  ...keysRequired,
  GATEWAY_BODY_BYTES: '2000',
  GATEWAY_FILE_BYTES: '2000',
  WEBSUB_BODY_BYTES: '2000',
});
beforeAll(async () => {
  await send('PUT', '/v1/collections/todo');
  await send('PUT', '/v1/collections/tree', { protocol: 'cse' });
});

const send = (method: string, path: string, body: unknown = {}): Promise<Response> =>
  gateway.send(method, path, body, { authorization: `Bearer ${administrator}` });

async function issue(permission: Permission): Promise<string> {
  const body = { name: 'one', grants: [{ permissions: [permission], collections: 'todo' }] };
  return ((await (await send('POST', '/v1/keys', body)).json()) as Required<IssuedKeyView>).key;
}

interface Head {
  readonly path?: string;
  readonly key?: string;
  readonly length?: number;
  readonly type?: string;
  readonly expect?: string;
  readonly version?: string;
  readonly host?: string;
}

/** Opens a connection and sends the header of a request to it. */
async function begin(head: Head): Promise<RawRequest> {
  const { path = items, key, length = 20, type = 'application/json', version = '1.1' } = head;
  const raw = await RawRequest.open(gateway.url);
  const lines = [
    `POST ${path} HTTP/${version}`,
    `Host: ${head.host ?? 'localhost'}`,
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    `Expect: ${head.expect ?? '100-continue'}`,
    '',
    '',
  ];
  raw.send(lines.join('\r\n'));
  return raw;
}

describe('a client that expects 100', () => {
  test.each<[string, number, () => Promise<Head> | Head]>([
    ['without a key', 401, () => ({})],
    ['with a wrong key', 401, () => ({ key: 'wrong' })],
    ['without the permission', 403, async () => ({ key: await issue('read') })],
    ['that announces too long a body', 413, () => ({ key: administrator, length: 2001 })],
    ['that announces too long a file', 413, () => ({ key: administrator, path: files, length: 2001 })],
    [
      'with a file for no collection',
      404,
      () => ({ key: administrator, path: '/v1/collections/none/files' }),
    ],
    ['with a type that is not read', 415, () => ({ key: administrator, type: 'text/plain' })],
    ['at a path that nothing is at', 404, () => ({ key: administrator, path: '/v1/nothing' })],
    ['at a path without the method', 405, () => ({ key: administrator, path: '/v1/tenants' })],
    ['of another host', 421, () => ({ key: administrator, host: 'evil.example' })],
    ['as an unknown hub', 404, () => ({ path: '/websub/none' })],
    ['as a hub that announces too much', 413, () => ({ path: '/websub/none', length: 2001 })],
  ])('%s gets the final status %i at once, and its connection is closed', async (_what, status, head) => {
    const raw = await begin(await head());
    await raw.closed;
    expect(raw.received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(raw.received).not.toContain(goOn);
    expect(raw.received).toMatch(/^connection: close\r$/im);
  });

  test.each(['100-continue', '100-Continue', ' 100-continue , 100-continue'])(
    'with "%s" gets it once its body is wanted, and then its response',
    async (expectation) => {
      const body = '{"title":"Expected"}';
      const raw = await begin({
        key: await issue('write'),
        length: body.length,
        expect: expectation,
      });
      await raw.begun;
      expect(raw.received).toBe(goOn);
      raw.send(body);
      await until(() => raw.received.includes('"Expected"'));
      expect(raw.received.slice(goOn.length)).toMatch(/^HTTP\/1\.1 201 /);
      raw.close();
    },
  );

  test('with a file gets it, and the file is kept', async () => {
    const raw = await begin({ key: administrator, path: files, length: 4, type: 'text/plain' });
    await raw.begun;
    expect(raw.received).toBe(goOn);
    raw.send('file');
    await until(() => raw.received.includes('"digest"'));
    expect(raw.received).toContain('HTTP/1.1 201 ');
    raw.close();
  });

  test('before HTTP/1.1 gets no 100, and its response', async () => {
    const raw = await begin({ key: administrator, version: '1.0', length: 15 });
    raw.send('{"title":"Old"}');
    await raw.closed;
    expect(raw.received).toMatch(/^HTTP\/1\.1 201 /);
  });
});

test.each(['200-ok', '100-continue, 200-ok', '100-continue=1', 'x100-continue'])(
  'any other expectation, such as "%s", is refused',
  async (expectation) => {
    const raw = await begin({ key: administrator, expect: expectation });
    await raw.closed;
    expect(raw.received).toMatch(/^HTTP\/1\.1 417 [^]*urn:feedmesh:problem:expectation-failed/);
  },
);

test('a body is not waited for if its sender may not make the change', async () => {
  const key = await issue('read');
  const raw = await RawRequest.open(gateway.url);
  raw.send(
    `POST ${items} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
  );
  await raw.begun;
  expect(raw.received).toMatch(/^HTTP\/1\.1 403 [^]*urn:feedmesh:problem:forbidden/);
  raw.close();
});
