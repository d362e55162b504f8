import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { exportJWK, SignJWT } from 'jose';
import { until } from '../../../../test/support/until.ts';
import { IssuerTokens } from './issuer-tokens.ts';

const [staying, leaving] = [
  generateKeyPairSync('rsa', { modulusLength: 2048 }),
  generateKeyPairSync('rsa', { modulusLength: 2048 }),
];
const issuer = 'https://login.example';
/** Milliseconds after which the keys are read again. */
const age = 310_000;

let server: Server;
let keys: object[];
let status: number;
let now: number;
let tokens: IssuerTokens;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.statusCode = status;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

beforeEach(async () => {
  keys = await Promise.all(
    Object.entries({ staying, leaving }).map(async ([kid, { publicKey }]) => ({
      ...(await exportJWK(publicKey)),
      kid,
      alg: 'RS256',
    })),
  );
  status = 200;
  now = Date.now();
  tokens = new IssuerTokens(
    {
      jwks: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`),
      issuer,
      audience: 'feedmesh',
      claim: 'feedmesh',
      skew: 0,
    },
    { now: () => new Date(now) },
  );
});

function sign(kid: 'staying' | 'leaving'): Promise<string> {
  return new SignJWT({ iss: issuer, aud: 'feedmesh', sub: 'shop', feedmesh: 'read:todo' })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setExpirationTime(Math.floor(now / 1000) + 3600)
    .sign({ staying, leaving }[kid].privateKey);
}

test('a token is refused, and ends what it reads, once its key has left those of the issuer', async () => {
  const [kept, withdrawn] = await Promise.all([sign('staying'), sign('leaving')]);
  const reading = await tokens.recognize(withdrawn);
  expect(reading?.isValid?.()).toBe(true);
  expect(await tokens.recognize(kept)).toBeDefined();
  keys = keys.slice(0, 1);
  expect(await tokens.recognize(withdrawn)).toBeDefined();
  now += age;
  await until(async () => reading?.isValid?.() === false);
  expect(await tokens.recognize(withdrawn)).toBeUndefined();
  expect((await tokens.recognize(kept))?.name).toBe('shop');
});

test('a token that was verified stays accepted while the keys of its issuer are away', async () => {
  const token = await sign('staying');
  await tokens.recognize(token);
  status = 500;
  now += age;
  expect((await tokens.recognize(token))?.isValid?.()).toBe(true);
  await expect(tokens.recognize(await sign('leaving'))).resolves.toBeDefined();
});
