import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { TrustedProxies } from './trusted-proxies.ts';

const proxies = new TrustedProxies(['10.0.0.0/8', 'fd00::/8'], 'ssl-client-subject-dn');

function addressOf(remoteAddress: string | undefined, forwarded?: string): string | undefined {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return proxies.addressOf({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
}

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ['of a client is its own', '203.0.113.9', undefined, '203.0.113.9'],
  ['of a client that names another is its own', '203.0.113.9', '198.51.100.7', '203.0.113.9'],
  ['behind a proxy is the one that the proxy names', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['that a client has put first is not the one', '10.0.0.1', '192.0.2.1, 198.51.100.7', '198.51.100.7'],
  ['behind two proxies is before both', '10.0.0.1', '198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['of a proxy that names none is the proxy', '10.0.0.1', undefined, '10.0.0.1'],
  ['of a proxy that names no address is the proxy', '10.0.0.1', '198.51.100.7, unknown', '10.0.0.1'],
  ['of IPv4 within IPv6 is that of IPv4', '::ffff:10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
  ['of IPv6 may be that of a proxy', 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['of a closed connection is not known', undefined, '198.51.100.7', undefined],
])('the address %s', (_what, remote, forwarded, expected) => {
  expect(addressOf(remote, forwarded)).toBe(expected);
});
