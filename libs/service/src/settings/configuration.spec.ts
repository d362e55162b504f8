import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ConfigurationError, listSettings, readConfiguration } from './configuration.ts';
import { publicUrl, serviceSettings } from './service-settings.ts';
import { networks, seconds, wholeNumber } from './setting-kinds.ts';

const schema = serviceSettings.extend({
  ALLOWED: networks().default([]).describe('Networks that may be reached'),
  WORKERS: wholeNumber(1, 1000).default(4).describe('Jobs in progress at the same time'),
  IDLE_SECONDS: seconds(3600).default(30).describe('How long a server may be silent'),
  TOKEN: z.string().describe('Has no default'),
});

describe('the configuration', () => {
  test('has a default for every shared setting', () => {
    expect(readConfiguration(serviceSettings, {})).toMatchObject({
      REDIS_URL: 'redis://127.0.0.1:6379',
      HOST: '127.0.0.1',
      PORT: 8080,
      FEEDMESH_DATA: '.feedmesh',
      LOG_LEVEL: 'info',
    });
  });

  test('is typed, and knows nothing of other variables', () => {
    const configuration = readConfiguration(schema, {
      PORT: '80',
      ALLOWED: '10.0.0.0/8, fd00::/8',
      IDLE_SECONDS: '0.5',
      TOKEN: 'x',
      HOME: '/root',
      MONGODB_URI: 'mongodb://a:27017,b:27017/feedmesh?replicaSet=rs',
      PUBLIC_URL: 'https://mesh.example/feeds/',
    });
    expect(configuration).toMatchObject({
      PORT: 80,
      ALLOWED: ['10.0.0.0/8', 'fd00::/8'],
      IDLE_SECONDS: 0.5,
      PUBLIC_URL: 'https://mesh.example/feeds',
    });
    expect(configuration).not.toHaveProperty('HOME');
  });

  test('takes an empty variable as unset', () => {
    expect(readConfiguration(serviceSettings, { PORT: '', REDIS_URL: '' })).toMatchObject({
      PORT: 8080,
      REDIS_URL: 'redis://127.0.0.1:6379',
    });
  });

  test('names every fault at once, with its default, and repeats no value', () => {
    const environment = {
      PORT: '1e3',
      REDIS_URL: 'http://user:secret@redis',
      LOG_LEVEL: 'loud',
      ALLOWED: '10.0.0.0/8,office',
      IDLE_SECONDS: '0',
    };
    expect(() => readConfiguration(schema, environment)).toThrow(
      new ConfigurationError(
        [
          '6 settings are wrong:',
          '  REDIS_URL must be a URL such as redis://host:6379, redis+sentinel://host:26379,' +
            'host:26379/mymaster or redis+cluster://host:6379,host:6379 (default: redis://127.0.0.1:6379)',
          '  PORT must be a whole number from 0 to 65535 (default: 8080)',
          '  LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent (default: info)',
          '  ALLOWED must be a comma-separated list of networks such as 10.0.0.0/8,fd00::/8 (default: empty)',
          '  IDLE_SECONDS must be a number of seconds above 0 and up to 3600 (default: 30)',
          '  TOKEN must be set',
        ].join('\n'),
      ),
    );
  });

  test.each([
    ['PORT', ['-1', '65536', '080', '8080 ', '0x50', '1.5', '99999999999999999999']],
    ['PUBLIC_URL', ['mesh.example', 'ftp://mesh.example', 'https://mesh.example?x', 'https://']],
    ['MONGODB_URI', ['http://mongo', 'mongodb://']],
    ['ALLOWED', ['10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0/8', '/8']],
    ['WORKERS', ['0', '1001']],
    ['IDLE_SECONDS', ['0', '-1', '3600.1', '1e2', '.5']],
  ])('refuses every wrong %s', (name, values) => {
    for (const value of values)
      expect(() => readConfiguration(schema, { [name]: value, TOKEN: 'x' })).toThrow(
        new RegExp(`1 setting is wrong:\n {2}${name} must be`),
      );
  });

  test('knows where the gateway is reached', () => {
    expect(publicUrl(readConfiguration(serviceSettings, { PORT: '9000' }))).toBe('http://127.0.0.1:9000');
    expect(publicUrl(readConfiguration(serviceSettings, { PUBLIC_URL: 'https://mesh.example/' }))).toBe(
      'https://mesh.example',
    );
  });
});

describe('the list of settings', () => {
  test('has name, default and description of each', () => {
    const list = listSettings(
      serviceSettings.extend({ BATCH: wholeNumber(1, 10).default(5).describe('Items in a batch') }),
    );
    expect(list[0]).toEqual({
      name: 'REDIS_URL',
      default: 'redis://127.0.0.1:6379',
      description: expect.stringMatching(/^Redis, the transport between the services/),
    });
    expect(list.at(-1)).toEqual({ name: 'BATCH', default: '5', description: 'Items in a batch' });
    expect(list.find((setting) => setting.name === 'PUBLIC_URL')).not.toHaveProperty('default');
    for (const setting of list) expect(setting.description).not.toBe('');
  });
});
