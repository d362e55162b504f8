import { describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { memoryIo } from './memory-io.ts';

describe('the command line', () => {
  test('explains itself with every command and the exit codes', async () => {
    const io = memoryIo();
    expect(await run(['--help'], io)).toBe(0);
    for (const word of [
      'Collections:',
      'collection',
      'watch',
      'Items:',
      'edit',
      'Subscriptions:',
      'unsubscribe',
      'Trees of feeds:',
      'fetch',
      'merge',
      'sync',
      'Operation:',
      'doctor',
      'dead-letters',
      'Exit codes',
      '64',
      '69',
    ])
      expect(io.out()).toContain(word);
  });

  test('says of merge why sx:sharing is left out', async () => {
    const io = memoryIo();
    expect(await run(['merge', '--help'], io)).toBe(0);
    expect(io.out()).toContain('without its sx:sharing');
  });

  test('says of tree what is shown, and how far', async () => {
    const io = memoryIo();
    expect(await run(['tree', '--help'], io)).toBe(0);
    const help = io.out().replaceAll('\n', ' ');
    for (const words of ['elsewhere is what is not followed', '(default: all)', '(default: 10000)'])
      expect(help).toContain(words);
  });

  test('prints its version', async () => {
    const io = memoryIo();
    expect(await run(['--version'], io)).toBe(0);
    expect(io.out()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('ends with 64 for what it does not understand, and says what that is', async () => {
    const cases: readonly [string[], string][] = [
      [['mrege'], "unknown command 'mrege'"],
      [['merge', 'one.xml'], "missing required argument 'incoming'"],
      [['ls', '-o', 'yaml'], "'yaml' is invalid"],
      [['resolve', 'todo', 'a', '--keep', 'mine'], '"winner" or the number of a conflict'],
      [['resolve', 'todo', 'a', '--keep', '0', '--revision', 'x'], 'the revision of an item'],
      [
        ['subscribe', 'todo', 'http://example.com/', '--interval', '9,3'],
        'of which the second is not smaller',
      ],
      [['subscribe', 'todo', 'http://example.com/', '--adopt', 'x'], '"yes", "no" or "auto"'],
      [['validate', '--timeout', '0', '-'], 'a number above 0'],
      [['tree', 'photos', '--depth', '-1'], 'a whole number'],
      [['tree', 'photos', '--maximum-feeds', '0'], 'a whole number above 0'],
      [['fetch', 'photos', 'root:a', 'first'], 'a whole number'],
      [['fetch', 'photos', 'root:a'], "missing required argument 'number'"],
      [
        ['ls', '--url', 'ftp://example.com'],
        'the URL of the service (--url, FEEDMESH_URL): must be an http or https URL; got `ftp://example.com`',
      ],
      [
        ['ls', '--url', 'localhost:8080'],
        '`localhost:8080` has no scheme; did you mean `http://localhost:8080`?',
      ],
      [
        ['subscribe', 'todo', 'example.org/feed'],
        'the URL of the feed: `example.org/feed` has no scheme; did you mean `https://example.org/feed`?',
      ],
    ];
    for (const [commandLine, reason] of cases) {
      const io = memoryIo();
      expect([commandLine, await run(commandLine, io)]).toEqual([commandLine, 64]);
      expect(io.err()).toContain(reason);
      expect(io.out()).toBe('');
    }
  });
});

describe('config', () => {
  test('lists each setting with its default, description and value, without passwords', async () => {
    const io = memoryIo({
      environment: {
        MONGODB_URI: 'mongodb://me:hush-hush@db.example/feedmesh',
        REDIS_URL: 'redis+sentinel://me:hush-hush@one:26379,two:26379/mymaster',
        REDIS_SENTINEL_PASSWORD: 'hush-hush',
        AUTH_SECRETS: 'hush-hush',
        AUTH_ADMIN_KEY: 'hush-hush',
        PORT: '',
      },
    });
    expect(await run(['config', '-o', 'json'], io)).toBe(0);
    const settings = JSON.parse(io.out()) as { name: string }[];
    expect(settings.find(({ name }) => name === 'MONGODB_URI')).toMatchObject({
      value: 'mongodb://me:***@db.example/feedmesh',
    });
    expect(settings.find(({ name }) => name === 'REDIS_URL')).toMatchObject({
      value: 'redis+sentinel://me:***@one:26379,two:26379/mymaster',
    });
    expect(io.out()).not.toContain('hush-hush');
    const port = settings.find(({ name }) => name === 'PORT');
    expect(port).toEqual({
      name: 'PORT',
      default: '8080',
      description: expect.stringContaining('gateway'),
      services: ['fetcher', 'merger', 'publisher', 'gateway'],
    });
    expect(settings.find(({ name }) => name === 'FETCH_BODY_BYTES')).toMatchObject({
      default: '268435456',
      services: ['fetcher'],
    });
  });

  test('shows for people which values are defaults', async () => {
    const io = memoryIo({ environment: { PORT: '9000' } });
    expect(await run(['config'], io)).toBe(0);
    expect(io.out()).toMatch(/^PORT=9000\n {2}\S/m);
    expect(io.out()).toMatch(/^HOST=127\.0\.0\.1 {2}\(default\)$/m);
  });

  test('groups the settings by the services that read them, the shared ones first', async () => {
    const io = memoryIo();
    expect(await run(['config'], io)).toBe(0);
    const heading = /^# (\w+|fetcher, merger, publisher, gateway)$/;
    const setting = /^(MONGODB_URI|FEED_DEPTH|MERGE_CONCURRENCY|PUBLISH_BLOCK=|GATEWAY_PAGE_ITEMS)/;
    const lines = io
      .out()
      .split('\n')
      .filter((line) => heading.test(line) || setting.test(line));
    expect(lines.map((line) => line.replace(/=.*/, ''))).toEqual([
      '# fetcher, merger, publisher, gateway',
      'MONGODB_URI',
      '# fetcher',
      'FEED_DEPTH',
      '# merger',
      'MERGE_CONCURRENCY',
      '# publisher',
      'PUBLISH_BLOCK',
      '# gateway',
      'GATEWAY_PAGE_ITEMS',
    ]);
  });
});
