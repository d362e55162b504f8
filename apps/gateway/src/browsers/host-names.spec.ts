import { expect, test } from '@jest/globals';
import { knownHosts } from './host-names.ts';

const settings = { PORT: 8080 };

test.each([
  [
    'a gateway that only this machine can connect to',
    { HOST: '127.0.0.1' },
    { 'named.example': false, localhost: true, '127.0.0.1:9': true, '[::1]': true },
  ],
  ['the same by its name', { HOST: 'localhost' }, { 'named.example': false, localhost: true }],
  [
    'the same with a public URL',
    { HOST: '::1', PUBLIC_URL: 'https://named.example/mesh' },
    { 'named.example': true, 'other.example': false },
  ],
  [
    'a gateway that others can connect to',
    { HOST: '0.0.0.0' },
    { 'named.example': true, 'other.example:8080': true },
  ],
  [
    'the same with names',
    { HOST: '0.0.0.0', GATEWAY_HOSTS: ['gateway', 'a.example'] },
    { gateway: true, 'A.example:8080': true, 'named.example': false, 'b.a.example': false, '10.0.0.1': true },
  ],
  ['a gateway of any name', { HOST: '127.0.0.1', GATEWAY_HOSTS: ['*'] }, { 'named.example': true }],
])('%s knows its hosts', (_what, given, expected) => {
  const isKnown = knownHosts({ ...settings, ...given });
  expect(Object.fromEntries(Object.keys(expected).map((host) => [host, isKnown(host)]))).toEqual(expected);
});
