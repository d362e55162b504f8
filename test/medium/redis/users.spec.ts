import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { Cluster, Redis } from 'ioredis';
import { consumeChanges, FeedmeshClient, listDeadEvents } from '#client';
import { collectionKey } from '#core';
import { startCluster } from '../../support/redis-servers.ts';
import type { RedisServer } from '../../support/redis-servers.ts';
import { until } from '../../support/until.ts';
import { entry, feed } from '../pipeline/feed.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';
import { printedUser, startGuardedRedis } from './redis-users.ts';
import type { GuardedRedis } from './redis-users.ts';

let redis: GuardedRedis;
beforeAll(async () => {
  redis = await startGuardedRedis();
});
afterAll(() => redis?.end());

/** What a server has denied to a user: whether for a command or a key, and which. */
async function denials({ client }: RedisServer, name: string): Promise<string[]> {
  const log = (await client.call('ACL', 'LOG', '1000')) as string[][];
  const entries = log.map((fields) =>
    Object.fromEntries(fields.flatMap((field, at) => (at % 2 ? [] : [[field, fields[at + 1]]]))),
  );
  return entries
    .filter((each) => each['username'] === name)
    .map((each) => `${each['reason']} ${each['object']}`);
}

/** Expects items to come from a feed and from every kind of command to a consumer of events. */
async function expectWork(
  urls: GuardedRedis['urls'],
  administrator: Redis | Cluster,
  connectProducer: () => Redis | Cluster,
): Promise<void> {
  const pipeline = await PipelineUnderTest.open(
    { REDIS_URL: urls.services, REDIS_SHARDS: '2' },
    administrator,
  );
  const producer = connectProducer();
  const commands = new Queue('commands', { connection: producer, prefix: '{feedmesh}' });
  const client = new FeedmeshClient({ redisUrl: urls.producer });
  const stop = new AbortController();
  const received = new Set<string>();
  const consume = async (): Promise<void> => {
    const url = await pipeline.healthUrl('gateway');
    const options = { redisUrl: urls.consumer, url, group: 'search', consumer: 'one', signal: stop.signal };
    for await (const { type, subject } of consumeChanges(options))
      if (type.startsWith('feedmesh.item.')) received.add(subject);
  };
  let consumed: Promise<void> | undefined;
  try {
    await pipeline.start('gateway', 'fetcher', 'merger', 'publisher');
    consumed = consume();
    pipeline.feeds.serve('/notes', feed([entry('item', ['1 there'])]));
    await pipeline.subscribe('notes');
    await addAll(commands);
    await client.edit(create('by-client'));
    const expected = new Set(['item', ...kinds, 'by-client']);
    await until(() => received.size >= expected.size);
    expect(received).toEqual(expected);
    expect(await listDeadEvents({ redisUrl: urls.consumer, group: 'search' })).toEqual([]);
    const stored = await pipeline.store.items.list(collectionKey('notes'), { limit: 100 });
    expect(new Set<string>(stored.map(({ id }) => id))).toEqual(expected);
  } finally {
    stop.abort();
    await consumed;
    await client.close();
    await commands.close();
    producer.disconnect();
    await pipeline.close();
  }
}

const names = ['feedmesh-services', 'shop', 'search'];

const kinds = [
  'plain',
  'named',
  'delayed',
  'prioritized',
  'last-in',
  'once',
  'for-a-time',
  'first',
  'second',
];

function create(id: string): { collection: string; action: 'create'; id: string; item: { title: string } } {
  return { collection: 'notes', action: 'create', id, item: { title: id } };
}

/** Adds commands in every way that BullMQ has for a producer. */
async function addAll(commands: Queue): Promise<void> {
  await commands.add('edit', create('plain'));
  await commands.add('edit', create('named'), { jobId: 'named' });
  await commands.add('edit', create('delayed'), { delay: 1 });
  await commands.add('edit', create('prioritized'), { priority: 2 });
  await commands.add('edit', create('last-in'), { lifo: true });
  await commands.add('edit', create('once'), { deduplication: { id: 'once' } });
  await commands.add('edit', create('once'), { deduplication: { id: 'once' } });
  await commands.add('edit', create('for-a-time'), { deduplication: { id: 'for-a-time', ttl: 1000 } });
  await commands.addBulk(['first', 'second'].map((id) => ({ name: 'edit', data: create(id) })));
}

test('services run, a producer sends commands, and a consumer reads events', async () => {
  const { urls, server } = redis;
  const options = { maxRetriesPerRequest: null };
  await expectWork(urls, server.client.duplicate(), () => new Redis(urls.producer, options));
  for (const user of names) expect([user, await denials(server, user)]).toEqual([user, []]);
});

test('a job id that is in the queue is refused to a producer, who may read no job', async () => {
  const connection = new Redis(redis.urls.producer, { maxRetriesPerRequest: null });
  const commands = new Queue('commands', { connection, prefix: '{feedmesh}' });
  try {
    await commands.add('edit', create('named'), { jobId: 'named' });
    await expect(commands.add('edit', create('named'), { jobId: 'named' })).rejects.toThrow(deniedInScript);
  } finally {
    await commands.close();
    connection.disconnect();
    await redis.server.client.flushdb();
  }
});

test('in a cluster whose nodes all have the users, everything works as well', async () => {
  const nodes = await startCluster(2000);
  try {
    for (const role of ['services', 'producer', 'consumer'] as const) {
      const [name = '', ...words] = (await printedUser(role, '--format', 'commands')).trim().split(' ');
      for (const { client } of nodes) await client.call(name, ...words);
    }
    const port = nodes[0]?.port ?? 0;
    const clusterUrl = (url: string): string =>
      url.replace('redis:', 'redis+cluster:').replace(/:\d+\/0$/, `:${port}`);
    const { services, producer, consumer } = redis.urls;
    const { username, password } = new URL(producer);
    const login = { username, password: decodeURIComponent(password), maxRetriesPerRequest: null };
    await expectWork(
      { services: clusterUrl(services), producer: clusterUrl(producer), consumer: clusterUrl(consumer) },
      new Cluster([{ host: '127.0.0.1', port }]),
      () => new Cluster([{ host: '127.0.0.1', port }], { redisOptions: login }),
    );
    for (const node of nodes)
      for (const user of names) expect([user, await denials(node, user)]).toEqual([user, []]);
  } finally {
    await Promise.all(nodes.map((node) => node.end()));
  }
});

/** What a script fails with that does what its user may not. */
const deniedInScript = /The user executing the script can't|NOPERM|ACL failure in script/;

const job = '{feedmesh}:commands:1';
const lock = '{feedmesh:changes:0}:reader:search';
const stream = 'feedmesh:changes:0';

/** What neither a producer nor a consumer may do. */
const forToBoth = [
  'KEYS *',
  'SCAN 0',
  'FLUSHALL',
  'FLUSHDB',
  'CONFIG GET *',
  'ACL LIST',
  'ACL WHOAMI',
  'MONITOR',
  'SHUTDOWN NOSAVE',
  'LATENCY RESET',
  'CLIENT LIST',
  'CLIENT KILL TYPE normal',
  'SCRIPT FLUSH',
  'FUNCTION FLUSH',
  'MODULE LIST',
  'REPLICAOF NO ONE',
  'SUBSCRIBE any',
  'PUBLISH any message',
  'RANDOMKEY',
  'DBSIZE',
  'SWAPDB 0 1',
  'GET other',
  'SET other 1',
  'HGETALL {feedmesh}:merge:1',
  'LPUSH {feedmesh}:merge:wait 1',
  'LRANGE {feedmesh:0}:publish:wait 0 -1',
  'HSET {feedmesh}:fetch:meta paused 1',
  `HGET ${job} data`,
  `HGETALL ${job}`,
  `DEL ${job}`,
  `DUMP ${job}`,
  `RENAME ${job} other`,
  `COPY ${job} {feedmesh}:commands:meta`,
  `SORT {feedmesh}:commands:wait BY nosort GET {feedmesh}:commands:*->data`,
  'LRANGE {feedmesh}:commands:wait 0 -1',
  'XRANGE {feedmesh}:commands:events - +',
  `XADD ${stream} * event {}`,
  `XADD {feedmesh:changes:0}:relayed * event {}`,
  `XDEL ${stream} 1-1`,
  `XTRIM ${stream} MAXLEN 0`,
  `XSETID ${stream} 1-1`,
  `XGROUP DESTROY ${stream} search`,
  `XGROUP SETID ${stream} search 0`,
  `DEL ${stream}`,
  `UNLINK ${stream}`,
  `EXPIRE ${stream} 1`,
  `SET ${stream} 1`,
  'SET {feedmesh:changes:0}:reader:reports 1',
  'HSET {feedmesh:changes:0}:places:reports todo 1',
  'XADD {feedmesh:changes:0}:dead:reports * event {}',
  'HGETALL {feedmesh:changes:0}:relayed',
  'ZADD {feedmesh}:fetchers 1 one',
  'ZADD {feedmesh}:gateways 1 one',
  'HSET {feedmesh:tenant:acme}:requests tokens 1000000',
  'DEL {feedmesh:tenant:acme}:streams',
];

const forbidden = {
  producer: [
    ...forToBoth,
    `XREAD COUNT 1 STREAMS ${stream} 0`,
    `XREADGROUP GROUP search one STREAMS ${stream} >`,
    `XGROUP CREATE ${stream} shop 0`,
    `XACK ${stream} search 1-1`,
    `XLEN ${stream}`,
    `SET ${lock} 1`,
    'EVAL return 0 {feedmesh}:merge:wait',
    `EVAL return 1 ${stream}`,
    `EVAL return 1 ${job}`,
  ],
  consumer: [
    ...forToBoth,
    'HMSET {feedmesh}:commands:9 name edit',
    'LPUSH {feedmesh}:commands:wait 9',
    'INCR {feedmesh}:commands:id',
    'EVAL return 1 {feedmesh}:commands:wait',
    `EVAL return 1 ${stream}`,
    'SCRIPT LOAD return',
  ],
};

/** Scripts that Redis starts, each with the keys that it declares. */
const scripts = {
  producer: [
    ["return redis.call('KEYS', '*')"],
    ["return redis.call('FLUSHALL')"],
    [`return redis.call('HGET', '${job}', 'data')`],
    [`return redis.call('HGETALL', '${job}')`, '{feedmesh}:commands:wait'],
    [`return redis.call('XRANGE', '${stream}', '-', '+')`, '{feedmesh}:commands:wait'],
    ["return redis.call('LPUSH', '{feedmesh}:merge:wait', '1')", '{feedmesh}:commands:wait'],
  ],
  consumer: [
    [`return redis.call('DEL', '${stream}')`, lock],
    [`return redis.call('SET', '${stream}', '1')`, lock],
    [`return redis.call('XADD', '${stream}', '*', 'event', '{}')`, lock],
    ["return redis.call('LPUSH', '{feedmesh}:commands:wait', '1')", lock],
    ["return redis.call('DEL', '{feedmesh:changes:0}:reader:reports')"],
  ],
} as const;

/** Everything that Redis has, by key. */
async function contents(): Promise<Record<string, string>> {
  const keys = (await redis.server.client.keys('*')).toSorted();
  const dumps = keys.map(async (key) => [key, (await redis.server.client.dumpBuffer(key))?.toString('hex')]);
  return Object.fromEntries(await Promise.all(dumps)) as Record<string, string>;
}

test.each(['producer', 'consumer'] as const)('a %s is denied what is not its work', async (role) => {
  const { client } = redis.server;
  await client.hset(job, { name: 'subscribe', data: '{"key":"of another team"}' });
  await client.lpush('{feedmesh}:commands:wait', '1');
  await client.xadd(stream, '1-1', 'event', '{}');
  await client.set(lock, 'another');
  const before = await contents();
  const user = new Redis(redis.urls[role], { lazyConnect: true });
  await user.connect();
  const answer = async (words: readonly string[]): Promise<string> => {
    const [name = '', ...rest] = words;
    return user.call(name, ...rest).then(
      (reply) => `done: ${JSON.stringify(reply)}`,
      (error: Error) => error.message,
    );
  };
  try {
    for (const command of forbidden[role]) {
      const words = command.startsWith('EVAL')
        ? ['EVAL', 'return 1', '1', command.split(' ').at(-1) ?? '']
        : command.split(' ');
      expect([command, await answer(words)]).toEqual([command, expect.stringMatching(/^NOPERM /)]);
    }
    for (const [script, ...keys] of scripts[role])
      expect([script, await answer(['EVAL', script, String(keys.length), ...keys])]).toEqual([
        script,
        expect.stringMatching(deniedInScript),
      ]);
    expect(await contents()).toEqual(before);
  } finally {
    user.disconnect();
    await client.flushdb();
  }
});

test('services are denied what empties or reconfigures Redis', async () => {
  const user = new Redis(redis.urls.services);
  try {
    for (const command of ['FLUSHALL', 'KEYS *', 'CONFIG GET *', 'ACL LIST', 'GET other', 'PUBLISH a b'])
      await expect(user.call(...(command.split(' ') as [string]))).rejects.toThrow(/^NOPERM /);
  } finally {
    user.disconnect();
  }
});

test('commands in place of lines make the same user, without what it had before', async () => {
  const { client } = redis.server;
  // `reset` switches on what a file leaves as it is: payloads of RESTORE, which no user may run, are checked.
  const users = async (): Promise<string[]> =>
    ((await client.call('ACL', 'LIST')) as string[]).map((line) => line.replace(' sanitize-payload', ''));
  const fromFile = await users();
  for (const role of ['services', 'producer', 'consumer'] as const) {
    const [acl = '', ...words] = (await printedUser(role, '--format', 'commands')).trim().split(' ');
    await client.call('ACL', 'SETUSER', words[1] ?? '', '>former', '~*', '+@all');
    await client.call(acl, ...words);
  }
  expect(await users()).toEqual(fromFile);
});
