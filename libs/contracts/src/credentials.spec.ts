import { describe, expect, test } from '@jest/globals';
import { credentials } from './credentials.ts';

function faultsOf(value: unknown): string[] {
  const read = credentials.safeParse(value);
  return read.success ? [] : read.error.issues.map(({ message }) => message);
}

describe('credentials', () => {
  test.each([
    { kind: 'basic', username: '', password: '' },
    { kind: 'basic', username: 'änn', password: 'a:b' },
    { kind: 'bearer', token: 'abc-._~+/==' },
    { kind: 'headers', headers: { 'X-Api-Key': 'a b', Authorization: 'Token 7' } },
    { kind: 'headers', headers: { Cookie: 'session=a=b, "c"; consent=; x=1' } },
    { kind: 'headers', headers: { cookie: 'a=1;b=2' } },
  ])('%j are taken', (value) => {
    expect(credentials.parse(value)).toEqual(value);
  });

  test.each([
    'Host',
    'Content-Length',
    'content-type',
    'Connection',
    'TE',
    'Transfer-Encoding',
    'If-None-Match',
    'If-Modified-Since',
    'Proxy-Authorization',
    'Referer',
    'User-Agent',
    'Range',
    'accept-encoding',
    'traceparent',
    'X-Forwarded-For',
  ])('the header field %s is refused by its name', (name) => {
    expect(faultsOf({ kind: 'headers', headers: { [name]: 'hidden' } })).toEqual([
      `the header field ${name} can't be set: it is the fetcher's own, or never sent`,
    ]);
  });

  test.each([
    { kind: 'basic', username: 'hidden:1', password: 'x' },
    { kind: 'basic', username: 'x', password: 'hidden\r\nx: y' },
    { kind: 'basic', username: 'x' },
    { kind: 'bearer', token: 'hidden token' },
    { kind: 'digest', hidden: '1' },
    { kind: 'headers', headers: {} },
    { kind: 'headers', headers: { 'X-Key': 'hidden\r\nX-Other: 1' } },
    { kind: 'headers', headers: { 'X-Key': 'hïdden' } },
    { kind: 'headers', headers: { 'X Key': 'hidden' } },
    { kind: 'headers', headers: { 'X-Key': 'hidden', 'x-key': 'hidden' } },
    { kind: 'headers', headers: { 'X-Key': 'hidden'.repeat(2000) } },
    { kind: 'headers', headers: { Cookie: 'hidden' } },
    { kind: 'headers', headers: { cookie: 'a=hidden; b' } },
    { kind: 'headers', headers: { Cookie: 'a=hidden;' } },
    { kind: 'headers', headers: { Cookie: 'Cookie: a=hidden' } },
    { kind: 'headers', headers: { Cookie: 'a=1\r\nX-Other: hidden' } },
    'hidden',
  ])('%j are refused, and the reason has nothing of them', (value) => {
    const faults = faultsOf(value);
    expect(faults).not.toEqual([]);
    expect(faults.join()).not.toMatch(/h[iï]dden/);
  });
});
