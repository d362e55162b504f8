import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { checkSignature } from './signature.ts';

const secret = 'ab'.repeat(32);
const body = Buffer.from('<feed/>');

function sign(method: string, key = secret, bytes = body): string {
  return `${method}=${createHmac(method, key).update(bytes).digest('hex')}`;
}

function isRight(field: string | undefined): boolean | undefined {
  const check = checkSignature(field, secret);
  check?.update(body.subarray(0, 3));
  check?.update(body.subarray(3));
  return check?.isRight();
}

test.each(['sha1', 'sha256', 'sha384', 'sha512'])('%s of the bytes under the secret is right', (method) => {
  expect(isRight(sign(method))).toBe(true);
  expect(isRight(sign(method).toUpperCase())).toBe(true);
});

test.each([
  sign('sha256', 'another'),
  sign('sha256', ''),
  sign('sha256', secret, Buffer.from('<feed />')),
  sign('sha1').replace('sha1', 'sha256'),
  sign('sha256').slice(0, -1),
  sign('sha256').slice(0, -2),
  `${sign('sha256')}00`,
])('%s is wrong', (field) => {
  expect(isRight(field)).toBe(false);
});

test.each([
  undefined,
  '',
  'sha256=',
  'sha256',
  sign('md5'),
  `${sign('sha1')}, ${sign('sha256')}`,
  ` ${sign('sha256')}`,
  `${sign('sha256')}\n`,
  'sha256=zz',
  'constructor=00',
])('%s is no signature', (field) => {
  expect(isRight(field)).toBeUndefined();
});
