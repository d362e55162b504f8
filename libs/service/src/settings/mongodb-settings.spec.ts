import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { certificateFile } from '../../../../test/support/tls-proxy.ts';
import { readConfiguration } from './configuration.ts';
import { mongodbLocation, mongodbSettings } from './mongodb-settings.ts';

function location(settings: Record<string, string>): ReturnType<typeof mongodbLocation> {
  return mongodbLocation(readConfiguration(z.object(mongodbSettings), settings));
}

const ca = { MONGODB_TLS_CA: certificateFile('authority') };

test.each([
  'mongodb://host/feedmesh?tls=true',
  'mongodb://host/feedmesh?retryReads=true&ssl=true',
  'mongodb+srv://host/feedmesh',
])('the files of TLS are read for %s', (uri) => {
  const found = location({ MONGODB_URI: uri, ...ca });
  expect(found).toEqual({ uri, tls: { ca: expect.stringContaining('BEGIN CERTIFICATE') } });
});

test('without files the address says it all', () => {
  expect(location({ MONGODB_URI: 'mongodb+srv://host/x' })).toEqual({ uri: 'mongodb+srv://host/x' });
});

test.each([
  ['an address without TLS', { MONGODB_URI: 'mongodb://host/x', ...ca }, 'MONGODB_TLS_CA is for TLS'],
  ['TLS turned off', { MONGODB_URI: 'mongodb+srv://host/x?tls=false', ...ca }, 'MONGODB_TLS_CA is for TLS'],
  [
    'a file that is missing, and needless',
    { MONGODB_URI: 'mongodb://host/x', MONGODB_TLS_KEY: '/missing.pem' },
    'MONGODB_TLS_KEY is for TLS, which MONGODB_URI requests with ?tls=true',
  ],
  [
    'a file that is missing',
    { MONGODB_URI: 'mongodb+srv://host/x', MONGODB_TLS_CA: '/missing.pem' },
    'MONGODB_TLS_CA must be a readable file in PEM: ENOENT',
  ],
  [
    'a certificate without its key',
    { MONGODB_URI: 'mongodb+srv://host/x', MONGODB_TLS_CERT: certificateFile('client') },
    'MONGODB_TLS_KEY must be set',
  ],
])('%s is refused by name', (_mistake, settings, message) => {
  expect(() => location(settings)).toThrow(message);
});
