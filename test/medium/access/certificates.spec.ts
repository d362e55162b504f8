import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AccessKeyView } from '#contracts';
import { RawRequest } from '../../support/raw-request.ts';
import { untilRefused } from '../../support/until-refused.ts';
import { until } from '../../support/until.ts';
import { problemIn, startGateway } from '../gateway/gateway-under-test.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const field = 'ssl-client-subject-dn';
const subject = 'CN=shop,O=Example, Inc.';

const gateway = useGateway({ ...keysRequired, AUTH_PROXIES: '10.0.0.0/8, 127.0.0.0/8, fd00::/8' });

const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  gateway.send(method, path, body, headers);
const bearer = { authorization: `Bearer ${administrator}` };

beforeAll(async () => {
  await send('PUT', '/v1/collections/todo', bearer);
});

async function give(name: string, permissions = ['read']): Promise<AccessKeyView> {
  const body = { name: 'shop', grants: [{ permissions, collections: 'todo' }], subject: name };
  const response = await send('POST', '/v1/keys', bearer, body);
  expect(response.status).toBe(201);
  return (await response.json()) as AccessKeyView;
}

describe('a client certificate', () => {
  test('permits what its subject was given, until that is revoked', async () => {
    const unknown = await send('GET', '/v1/collections/todo', { [field]: subject });
    expect((await problemIn(unknown)).rule).toBe('invalid-credentials');
    const given = await give(subject);
    expect(given).toMatchObject({ name: 'shop', subject });
    expect(given).not.toHaveProperty('key');
    await until(async () => (await send('GET', '/v1/collections/todo', { [field]: subject })).status === 200);
    expect((await send('PUT', '/v1/collections/todo', { [field]: subject })).status).toBe(403);
    for (const other of ['CN=shop', 'CN=shop,O=Example', 'cn=shop,o=example, inc.', `${subject},CN=x`])
      expect((await send('GET', '/v1/collections/todo', { [field]: other })).status).toBe(401);
    const again = await send('POST', '/v1/keys', bearer, {
      name: 'shop',
      grants: [{ permissions: ['read'], collections: 'todo' }],
      subject,
    });
    expect((await problemIn(again)).rule).toBe('key-exists');
    expect((await send('POST', `/v1/keys/${given.id}/rotate`, bearer)).status).toBe(400);
    await send('DELETE', `/v1/keys/${given.id}`, bearer);
    await untilRefused(401, () => send('GET', '/v1/collections/todo', { [field]: subject }));
  });

  test('is named as the author of what it has changed', async () => {
    const name = 'CN=editor';
    const { id } = await give(name, ['read', 'write']);
    const created = await until(
      () => send('POST', '/v1/collections/todo/items', { [field]: name }, { id: 'a', title: 'A' }),
      ({ status }) => status === 201,
    );
    const actor = { kind: 'certificate', id, name: 'shop', subject: name };
    expect(await created.json()).toMatchObject({ actor });
  });

  test.each([
    ['ssl-client-verify', 'FAILED:self signed certificate'],
    ['ssl-client-verify', 'FAILED'],
    ['ssl-client-verify', 'NONE'],
    ['ssl-client-verify', ''],
    ['ssl-client-verify', 'success, FAILED'],
    ['SSL-Client-Verify', 'GENEROUS'],
    ['X-SSL-Client-Verify', 'FAILED'],
    ['X-SSL-Client-Verify', '18'],
    ['X-Client-Verify', 'NONE'],
    ['X-Client-Cert-Verified', 'false'],
    ['SSL_CLIENT_VERIFY', 'NONE'],
    ['X-Tls-Client-Cert-Verify', 'FAILED'],
  ])('is refused if the proxy says %s: %s, and is no hindrance to a key', async (name, value) => {
    const { id } = await give('CN=unverified');
    const path = '/v1/collections/todo';
    const sent = { [field]: 'CN=unverified', [name]: value };
    const problem = await problemIn(await send('GET', path, sent));
    expect([problem.status, problem.rule]).toEqual([401, 'invalid-credentials']);
    expect(problem.detail).toContain(name.toLowerCase());
    expect((await send('GET', path, { ...sent, ...bearer })).status).toBe(200);
    await send('DELETE', `/v1/keys/${id}`, bearer);
  });

  test('is accepted if the proxy says that it has verified it', async () => {
    const { id } = await give('CN=verified');
    for (const [name, value] of [
      ['ssl-client-verify', 'SUCCESS'],
      ['X-SSL-Client-Verify', '0'],
      ['ssl-client-issuer-dn', 'CN=Example'],
    ] as const)
      await until(
        async () =>
          (await send('GET', '/v1/collections/todo', { [field]: 'CN=verified', [name]: value })).status ===
          200,
      );
    await send('DELETE', `/v1/keys/${id}`, bearer);
  });

  test('is given to whoever administers all collections alone, and shows nothing to others', async () => {
    const { id: taken } = await give('CN=beta-shop');
    const body = { name: 'acme', grants: [{ permissions: ['admin'], collections: 'acme.*' }] };
    const issued = await send('POST', '/v1/keys', bearer, body);
    const { id, key } = (await issued.json()) as { id: string; key: string };
    const own = { authorization: `Bearer ${key}` };
    const details = [];
    for (const subject of ['CN=beta-shop', 'CN=free']) {
      const refused = await send('POST', '/v1/keys', own, { ...body, subject });
      details.push(await problemIn(refused));
      expect(refused.status).toBe(403);
    }
    expect(details[0]).toEqual(details[1]);
    expect(details[0]?.detail).toBe('The key "acme" has no permission "admin" for all collections.');
    expect((await send('POST', '/v1/keys', own, body)).status).toBe(201);
    for (const one of [taken, id]) await send('DELETE', `/v1/keys/${one}`, bearer);
  });

  test('gives way to a key, and an empty subject is none', async () => {
    const path = '/v1/collections';
    expect((await send('GET', path, { [field]: 'CN=nobody', ...bearer })).status).toBe(200);
    expect((await problemIn(await send('GET', path, { [field]: '' }))).rule).toBe('unauthenticated');
  });

  test('is refused if its subject is named twice', async () => {
    const { id } = await give('CN=twice');
    const raw = await RawRequest.open(gateway.url);
    const lines = [
      'GET /v1/collections/todo HTTP/1.1',
      'Host: localhost',
      `${field}: CN=twice`,
      'SSL-Client-Subject-DN: CN=twice',
      'Connection: close',
      '',
      '',
    ];
    raw.send(lines.join('\r\n'));
    await raw.closed;
    expect(raw.received).toMatch(/^HTTP\/1\.1 401 [^]*There is more than one/);
    await send('DELETE', `/v1/keys/${id}`, bearer);
  });
});

describe('a header that a proxy would pass on', () => {
  const request = (...lines: string[]) =>
    ['GET /v1/collections/todo HTTP/1.1', 'Host: localhost', ...lines, 'Connection: close', '', ''].join(
      '\r\n',
    );
  const inner = request(`${field}: CN=smuggled`);

  test.each<[string, string, RegExp]>([
    ['an underscore for a hyphen', request('ssl_client_subject_dn: CN=smuggled'), /^HTTP\/1\.1 401 /],
    ['a space before the colon', request(`${field} : CN=smuggled`), /^HTTP\/1\.1 400 /],
    ['a line that is folded', request(`X-Other: a\r\n ${field}: CN=smuggled`), /^HTTP\/1\.1 40[01] /],
    ['a line that ends in CR alone', request(`X-Other: a\r${field}: CN=smuggled`), /^HTTP\/1\.1 400 /],
    ['a NUL in the name', request(`ssl-client-subject-dn\0: CN=smuggled`), /^HTTP\/1\.1 400 /],
    [
      'a second request behind a body with two lengths',
      `${request('Content-Length: 0', 'Transfer-Encoding: chunked')}0\r\n\r\n${inner}`,
      /^HTTP\/1\.1 400 /,
    ],
    [
      'a second request behind two lengths that differ',
      `${request('Content-Length: 0', 'Content-Length: 5')}${inner}`,
      /^HTTP\/1\.1 400 /,
    ],
    [
      'a trailer',
      request('Content-Type: application/json', 'Transfer-Encoding: chunked', `Trailer: ${field}`) +
        `0\r\n${field}: CN=smuggled\r\n\r\n`,
      /^HTTP\/1\.1 401 /,
    ],
  ])('names no subject with %s', async (_what, text, refusal) => {
    const { id } = await give('CN=smuggled');
    await until(
      async () => (await send('GET', '/v1/collections/todo', { [field]: 'CN=smuggled' })).status === 200,
    );
    const raw = await RawRequest.open(gateway.url);
    raw.send(text);
    await raw.closed;
    expect(raw.received).toMatch(refusal);
    expect(raw.received).not.toContain('200 OK');
    await send('DELETE', `/v1/keys/${id}`, bearer);
  });
});

test.each([{}, { AUTH_PROXIES: '10.0.0.0/8' }])(
  'nobody but a proxy of the settings %j may name the subject of a certificate',
  async (settings) => {
    const another = await startGateway({ ...keysRequired, ...(settings as Record<string, string>) });
    try {
      const body = {
        name: 'shop',
        grants: [{ permissions: ['admin'], collections: '*' }],
        subject: 'CN=shop',
      };
      await another.send('POST', '/v1/keys', body, bearer);
      const response = await another.send('GET', '/v1/collections', undefined, { [field]: 'CN=shop' });
      expect((await problemIn(response)).detail).toBe(`Only a proxy of AUTH_PROXIES may send ${field}.`);
    } finally {
      await another.close();
    }
  },
);
