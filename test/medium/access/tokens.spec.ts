import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, SignJWT } from 'jose';
import { collectionKey } from '#core';
import { sampleCollection } from '#in-memory';
import { problemIn, startGateway } from '../gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../gateway/gateway-under-test.ts';
import { untilAccepted } from '../../support/until-accepted.ts';
import { untilRefused } from '../../support/until-refused.ts';

const pair = (): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('rsa', { modulusLength: 2048 });
const [own, later, foreign] = [pair(), pair(), pair()];
const claims = { iss: 'https://login.example', aud: 'feedmesh', sub: 'shop', feedmesh: ['read:todo'] };

let issuer: Server;
let keys: object[];
let read = 0;
let gateway: GatewayUnderTest;

const publicKey = async (key: KeyObject, kid: string): Promise<object> => ({
  ...(await exportJWK(key)),
  kid,
  alg: 'RS256',
});

beforeAll(async () => {
  keys = [await publicKey(own.publicKey, 'own')];
  issuer = createServer((_request, response) => {
    read += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  gateway = await startGateway({
    AUTH: 'required',
    AUTH_JWT_JWKS: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`,
    AUTH_JWT_ISSUER: claims.iss,
    AUTH_JWT_AUDIENCE: claims.aud,
    AUTH_JWT_SKEW_SECONDS: '0',
  });
});
afterAll(async () => {
  await gateway?.close();
  issuer?.close();
});

interface Made {
  readonly claims?: object;
  readonly key?: KeyObject;
  readonly header?: object;
  /** Seconds from now. */
  readonly expires?: number | null;
  readonly notBefore?: number;
  /** Seconds from now. */
  readonly issued?: number;
}

const now = (): number => Math.floor(Date.now() / 1000);

async function token({ key = own.privateKey, header, expires = 60, notBefore, issued, ...made }: Made = {}) {
  const signed = new SignJWT({ ...claims, ...made.claims }).setProtectedHeader({
    alg: 'RS256',
    kid: 'own',
    ...header,
  });
  if (expires !== null) signed.setExpirationTime(now() + expires);
  if (notBefore !== undefined) signed.setNotBefore(now() + notBefore);
  if (issued !== undefined) signed.setIssuedAt(now() + issued);
  return signed.sign(key);
}

const send = (bearer: string, path = '/v1/collections/todo/items', method = 'GET'): Promise<Response> =>
  gateway.send(method, path, undefined, { authorization: `Bearer ${bearer}` });

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token', () => {
  test('permits what its claim says, as a list or as one text', async () => {
    // There is no such collection, which only those learn who may read it.
    expect((await send(await token())).status).toBe(404);
    expect((await send(await token(), '/v1/collections/todo', 'DELETE')).status).toBe(403);
    const text = await token({ claims: { feedmesh: 'openid read:notes write,read:todo' } });
    expect((await send(text)).status).toBe(404);
    expect((await send(text, '/v1/collections/other')).status).toBe(403);
    const nothing = await token({ claims: { feedmesh: { read: 'todo' } } });
    expect((await problemIn(await send(nothing))).detail).toBe(
      'The key "shop" has no permission "read" for the collection "todo".',
    );
  });

  test('says whose it is, what it permits and when it ends', async () => {
    const before = now();
    const me = (await (await send(await token({ expires: 60 }), '/v1/me')).json()) as Record<string, string>;
    expect(me).toMatchObject({ kind: 'token', name: 'shop' });
    expect(Date.parse(me['expiresAt'] ?? '') / 1000).toBeGreaterThanOrEqual(before + 60);
    expect(Date.parse(me['expiresAt'] ?? '') / 1000).toBeLessThanOrEqual(now() + 60);
  });

  test.each<[string, () => Promise<string>]>([
    ['signed by nobody', async () => `${base64({ alg: 'none' })}.${base64({ ...claims, exp: now() + 60 })}.`],
    [
      'signed by nobody with a signature',
      async () => `${base64({ alg: 'none', kid: 'own' })}.${base64({ ...claims, exp: now() + 60 })}.AAAA`,
    ],
    [
      'signed with the public key as a secret',
      async () => {
        const signed = `${base64({ alg: 'HS256', kid: 'own' })}.${base64({ ...claims, exp: now() + 60 })}`;
        const secret = own.publicKey.export({ type: 'spki', format: 'pem' });
        return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      },
    ],
    ['signed by someone else', () => token({ key: foreign.privateKey })],
    [
      'with a key of its own',
      async () => token({ key: foreign.privateKey, header: { jwk: await exportJWK(foreign.publicKey) } }),
    ],
    ['of an unknown key', () => token({ header: { kid: 'none' } })],
    ['for someone else', () => token({ claims: { aud: 'other' } })],
    ['of another issuer', () => token({ claims: { iss: 'https://login.example.evil.example' } })],
    ['that has ended', () => token({ expires: -1 })],
    ['without an end', () => token({ expires: null })],
    ['that has not begun', () => token({ notBefore: 3600 })],
    ['without a subject', () => token({ claims: { sub: undefined } })],
    [
      'that was changed',
      async () => {
        const [header, , signature] = (await token()).split('.');
        return `${header}.${base64({ ...claims, feedmesh: ['admin:*'], exp: now() + 60 })}.${signature}`;
      },
    ],
    ['that is too long', () => token({ claims: { more: 'x'.repeat(10_000) } })],
  ])('%s is refused', async (_what, make) => {
    const response = await send(await make());
    expect([response.status, (await problemIn(response)).rule]).toEqual([401, 'invalid-credentials']);
  });

  test.each<[string, Made, string]>([
    ['a subject that is a number', { claims: { sub: 12 } }, 'sub'],
    ['a subject that is true', { claims: { sub: true } }, 'sub'],
    ['a subject that is null', { claims: { sub: null } }, 'sub'],
    ['a subject that is an object', { claims: { sub: { id: 'shop' } } }, 'sub'],
    ['a subject that is a list', { claims: { sub: ['shop'] } }, 'sub'],
    ['an empty subject', { claims: { sub: '' } }, 'sub'],
    ['a subject of blanks', { claims: { sub: '  ' } }, 'sub'],
    ['a subject of 501 characters', { claims: { sub: 'x'.repeat(501) } }, 'sub'],
    ['an end in the far future', { claims: { exp: 1e308 }, expires: null }, 'exp'],
    ['an end in more than a day', { expires: 86_500 }, 'exp'],
    ['a life of more than a day', { issued: -3600, expires: 83_000 }, 'exp'],
    ['an issue in the far future', { claims: { exp: 1e308, iat: 1e308 }, expires: null }, 'iat'],
  ])('with %s is refused, whatever the method, and the gateway goes on', async (_what, made, claim) => {
    const bearer = await token(made);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const problem = await problemIn(await send(bearer, '/v1/collections/todo', method));
      expect([problem.status, problem.rule]).toEqual([401, 'invalid-credentials']);
      expect(problem.detail).toContain(`"${claim}"`);
    }
    expect((await send(await token())).status).not.toBe(401);
  });

  test('is valid for a day at the most', async () => {
    for (const made of [{ expires: 86_300 }, { issued: -80_000, expires: 6000 }, { claims: { nbf: 1.5 } }])
      expect((await send(await token(made))).status).toBe(404);
  });

  test('is accepted until it ends, and what it reads is cut off then', async () => {
    await gateway.store.collections.create(sampleCollection({ key: collectionKey('todo') }));
    const path = '/v1/collections/todo/changes?mode=stream';
    const { credentials: short, response: stream } = await untilAccepted(
      (end) => token({ expires: end.getTime() / 1000 - now() }),
      (made) => send(made, path),
    );
    await expect(stream.text()).rejects.toThrow();
    await untilRefused(401, () => send(short));
  });

  test('that names unknown keys has the issuer asked about once', async () => {
    await send(await token());
    const before = read;
    const many = await Promise.all(
      Array.from({ length: 50 }, (_, index) => token({ header: { kid: `none-${index}` } })),
    );
    for (const { status } of await Promise.all(many.map((one) => send(one)))) expect(status).toBe(401);
    expect(read - before).toBeLessThanOrEqual(1);
  });
});

test('a key that the issuer adds is found, and no token is accepted while its keys are away', async () => {
  keys = [...keys, await publicKey(later.publicKey, 'later')];
  const another = await gateway.startAnother();
  try {
    const added = await token({ key: later.privateKey, header: { kid: 'later' } });
    const at = (url: string, bearer: string): Promise<Response> =>
      fetch(`${url}/v1/collections/todo`, { headers: { authorization: `Bearer ${bearer}` } });
    expect((await at(another.url, added)).status).toBe(200);
  } finally {
    await another.close();
  }
  const third = await gateway.startAnother();
  try {
    issuer.closeAllConnections();
    await new Promise((resolve) => issuer.close(resolve));
    const response = await fetch(`${third.url}/v1/collections/todo`, {
      headers: { authorization: `Bearer ${await token()}` },
    });
    expect((await problemIn(response)).detail).toContain('AUTH_JWT_JWKS');
  } finally {
    await third.close();
  }
});

test.each([
  [{ AUTH_JWT_JWKS: 'https://login.example/keys' }, /AUTH_JWT_ISSUER must be set with AUTH_JWT_JWKS/],
  [{ AUTH_JWT_JWKS: 'ftp://login.example/keys' }, /AUTH_JWT_JWKS must be an http or https URL/],
])('a gateway with %j does not start', async (environment, message) => {
  await expect(startGateway(environment as Record<string, string>)).rejects.toThrow(message);
});
