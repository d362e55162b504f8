import { describe, expect, test } from '@jest/globals';
import { parseRedisUrl } from './redis-address.ts';

const plain = { topology: 'node', tls: false, masterName: '', database: 0 };

describe('the URL of Redis', () => {
  test.each([
    ['redis://redis', { ...plain, hosts: [{ host: 'redis', port: 6379 }] }],
    ['valkey://127.0.0.1:7000/3', { ...plain, hosts: [{ host: '127.0.0.1', port: 7000 }], database: 3 }],
    [
      'rediss://feedmesh:a%2Fb%40%3A@[::1]:6380/',
      { ...plain, tls: true, hosts: [{ host: '::1', port: 6380 }], username: 'feedmesh', password: 'a/b@:' },
    ],
    ['redis://:secret@redis', { ...plain, hosts: [{ host: 'redis', port: 6379 }], password: 'secret' }],
    [
      'redis+sentinel://:secret@one:26380,two/mymaster/2',
      {
        ...plain,
        topology: 'sentinel',
        hosts: [
          { host: 'one', port: 26_380 },
          { host: 'two', port: 26_379 },
        ],
        password: 'secret',
        masterName: 'mymaster',
        database: 2,
      },
    ],
    [
      'rediss-cluster://one:7000,two',
      {
        ...plain,
        topology: 'cluster',
        tls: true,
        hosts: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 6379 },
        ],
      },
    ],
  ])('%s', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  test.each([
    ['redis', /such as redis:\/\/host:6379/],
    ['http://user:secret@redis', /such as redis:\/\/host:6379/],
    ['redis://', /such as redis:\/\/host:6379/],
    ['redis://redis:99999', /such as redis:\/\/host:6379/],
    ['redis://a b', /such as redis:\/\/host:6379/],
    ['redis://redis?family=6', /such as redis:\/\/host:6379/],
    ['redis://one,two', /one host/],
    ['redis://redis/queue', /number of a database/],
    ['redis+sentinel://one', /name the master/],
    ['redis+sentinel://one/mymaster/x', /number of a database/],
    ['redis+cluster://one/1', /only has database 0/],
    ['redis://:%zz@redis', /percent-encoded/],
  ])('is not %s, and the reason does not repeat it', (url, reason) => {
    expect(() => parseRedisUrl(url)).toThrow(reason);
    expect(() => parseRedisUrl(url)).not.toThrow(/secret/);
  });
});
