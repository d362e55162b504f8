import { expect, test } from '@jest/globals';
import { hubCallbacks } from './websub-settings.ts';

const [named, local] = ['https://mesh.example/feeds', 'http://127.0.0.1:8080'];

test.each([
  ['auto', named, `${named}/websub/`],
  ['on', named, `${named}/websub/`],
  ['off', named, undefined],
  ['on', local, `${local}/websub/`],
  ['auto', undefined, undefined],
  ['on', undefined, undefined],
  ...[
    local,
    'http://192.0.2.7',
    'http://[2001:db8::1]:8080',
    'http://gateway:8080',
    'http://localhost',
    'http://a.localhost.',
    'http://printer.local',
    'http://mesh-gateway.feeds.svc',
    'http://mesh-gateway.feeds.svc.cluster.local',
    'http://mesh-gateway.feeds.svc.cluster.example',
  ].map((url) => ['auto', url, undefined] as const),
] as const)('with WEBSUB=%s and PUBLIC_URL=%s callbacks begin with %s', (WEBSUB, PUBLIC_URL, expected) => {
  expect(hubCallbacks({ WEBSUB, PUBLIC_URL })).toBe(expected);
});
