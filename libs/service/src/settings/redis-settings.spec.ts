import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { certificateFile } from '../../../../test/support/tls-proxy.ts';
import { ConfigurationError, readConfiguration } from './configuration.ts';
import { redisLocation, redisSettings } from './redis-settings.ts';

const tls = {
  REDIS_URL: 'rediss://redis',
  REDIS_TLS_CA: certificateFile('authority'),
  REDIS_TLS_CERT: certificateFile('client'),
  REDIS_TLS_KEY: certificateFile('client-key'),
};

const locate = (environment: Record<string, string>): ReturnType<typeof redisLocation> =>
  redisLocation(readConfiguration(z.object(redisSettings), environment));

test('by default Redis is on this machine, with one group of queues', () => {
  expect(locate({})).toEqual({ redisUrl: 'redis://127.0.0.1:6379', redisSentinel: {}, shards: 1 });
});

test('the files of TLS are read, and the password of the Sentinels is kept apart from that of Redis', () => {
  expect(
    locate({
      ...tls,
      REDIS_SENTINEL_USERNAME: 'watcher',
      REDIS_SENTINEL_PASSWORD: 'secret',
      REDIS_TLS_SERVERNAME: 'redis.example',
      REDIS_SHARDS: '8',
    }),
  ).toEqual({
    redisUrl: 'rediss://redis',
    redisTls: {
      ca: expect.stringContaining('BEGIN CERTIFICATE'),
      cert: expect.stringContaining('BEGIN CERTIFICATE'),
      key: expect.stringContaining('BEGIN PRIVATE KEY'),
      servername: 'redis.example',
    },
    redisSentinel: { username: 'watcher', password: 'secret' },
    shards: 8,
  });
});

test.each([
  [{ REDIS_URL: 'redis+sentinel://:secret@redis' }, 'REDIS_URL must name the master'],
  [{ ...tls, REDIS_URL: 'redis://redis' }, 'REDIS_TLS_CA is for TLS'],
  [{ REDIS_TLS_SERVERNAME: 'redis.example' }, 'REDIS_TLS_SERVERNAME is for TLS'],
  [{ REDIS_TLS_CERT: '/nowhere/cert.pem' }, 'REDIS_TLS_CERT is for TLS'],
  [{ ...tls, REDIS_TLS_KEY: '' }, 'REDIS_TLS_KEY must be set'],
  [{ ...tls, REDIS_TLS_CERT: '' }, 'REDIS_TLS_CERT must be set'],
  [{ ...tls, REDIS_TLS_CA: '/nowhere/ca.pem' }, 'REDIS_TLS_CA must be a readable file in PEM: ENOENT'],
  [
    { ...tls, REDIS_TLS_CERT: certificateFile('client-key') },
    'REDIS_TLS_CERT must be a readable file in PEM',
  ],
  [{ ...tls, REDIS_TLS_KEY: certificateFile('server-key') }, 'REDIS_TLS_KEY must be a readable file in PEM'],
  [{ REDIS_SHARDS: '0' }, 'REDIS_SHARDS must be a whole number'],
])('%j is refused', (environment, message) => {
  expect(() => locate(environment)).toThrow(ConfigurationError);
  expect(() => locate(environment)).toThrow(message);
});
