import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Cluster } from 'ioredis';
import { consumeChanges, FeedmeshClient } from '#client';
import { openTenantQuota } from '#queue';
import { ServiceLogger } from '#service';
import { EditLoad } from '../../support/edit-load.ts';
import {
  addReplica,
  letTakeOver,
  startCluster,
  startRedis,
  startSentinelGroup,
} from '../../support/redis-servers.ts';
import type { RedisServer, SentinelGroup } from '../../support/redis-servers.ts';
import { certificateFile, startTlsProxy } from '../../support/tls-proxy.ts';
import { hangLimit, until } from '../../support/until.ts';
import { startGateway } from '../gateway/gateway-under-test.ts';
import { entry, feed } from '../pipeline/feed.ts';
import { PipelineUnderTest, summary } from '../pipeline/pipeline-under-test.ts';
import type { ServiceName } from '../pipeline/pipeline-under-test.ts';
import { openWatchedPipeline } from './watched-pipeline.ts';

/** What the health page of a service, by default the gateway, says of Redis. */
async function health(pipeline: PipelineUnderTest, service: ServiceName = 'gateway'): Promise<string> {
  const response = await fetch(`${await pipeline.healthUrl(service)}/health/ready`);
  return ((await response.json()) as { checks: { redis: string } }).checks.redis;
}

/** Begins to edit a collection over the gateway. */
async function begin(pipeline: PipelineUnderTest, collection: string): Promise<EditLoad> {
  const load = new EditLoad(`${await pipeline.healthUrl('gateway')}/v1/collections/${collection}/items`);
  await load.acknowledges(10);
  return load;
}

/** Creates an item over the gateway, which acknowledges it. */
async function edit(pipeline: PipelineUnderTest, collection: string, id: string): Promise<void> {
  const url = `${await pipeline.healthUrl('gateway')}/v1/collections/${collection}/items`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, title: 'Written' }),
  });
  expect(response.status).toBe(201);
}

describe('a cluster', () => {
  /** Milliseconds after which a node that says nothing counts as failed. */
  const timeout = 2000;
  let nodes: RedisServer[];
  beforeAll(async () => {
    nodes = await startCluster(timeout);
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.end()));
  });

  test('with several shards brings items from their feeds to their events, and takes commands', async () => {
    const port = nodes[0]?.port ?? 0;
    const redisUrl = `redis+cluster://127.0.0.1:${port}`;
    const pipeline = await PipelineUnderTest.open(
      { REDIS_URL: redisUrl, REDIS_SHARDS: '3' },
      new Cluster([{ host: '127.0.0.1', port }]),
    );
    const client = new FeedmeshClient({ redisUrl });
    const stop = new AbortController();
    try {
      await pipeline.start('gateway', 'fetcher', 'merger', 'publisher');
      // Their names lead to the shards 0, 1 and 2.
      for (const collection of ['a', 'g', 'b']) {
        pipeline.feeds.serve(`/${collection}`, feed([entry('item', ['1 there'])]));
        await pipeline.subscribe(collection);
        await until(async () => (await pipeline.relayed(collection)).length > 0);
        expect(summary(await pipeline.relayed(collection))).toContain('item.created item');
      }
      await client.edit({ collection: 'a', action: 'create', id: 'commanded', item: { title: 'Commanded' } });
      const changes = consumeChanges({ redisUrl, group: 'team', consumer: 'one', signal: stop.signal });
      for await (const { subject } of changes) if (subject === 'commanded') break;
      await until(async () => (await health(pipeline)) === 'up');
      const used = await Promise.all(nodes.map((node) => node.client.keys('{feedmesh:*}:merge:*')));
      expect(used.filter((keys) => keys.length > 0).length).toBeGreaterThan(1);
    } finally {
      stop.abort();
      await client.close();
      await pipeline.close();
    }
  });

  test('leases requests and event streams of tenants, which are spread over its shards', async () => {
    const quota = openTenantQuota({
      redisUrl: `redis+cluster://127.0.0.1:${nodes[0]?.port ?? 0}`,
      now: () => 1_800_000_000_000,
      answerTimeout: hangLimit,
    });
    const tenants = Array.from({ length: 20 }, (_, place) => `tenant-${place}`);
    try {
      // The gateway of a test before may count as living still.
      expect(await quota.renew()).toBeGreaterThanOrEqual(1);
      for (const tenant of tenants) {
        let through = 0;
        for (let granted = Infinity; granted > 0;) {
          ({ granted } = await quota.lease(tenant, { rate: 1, burst: 40 }, 100));
          through += granted;
        }
        expect(through).toBe(40);
        expect(await quota.openStreams(tenant, 2, 2)).toBe(true);
        expect(await quota.openStreams(tenant, 3, 2)).toBe(false);
      }
      const held = await Promise.all(nodes.map((node) => node.client.keys('{feedmesh:tenant:*')));
      expect(held.flat().length).toBe(2 * tenants.length);
      expect(held.filter((keys) => keys.length > 0).length).toBe(3);
    } finally {
      quota.close();
    }
  });

  test('that REDIS_URL takes for a single server is reported, in one line for each cause', async () => {
    const outsider = await otherNode(nodes);
    const lines: string[] = [];
    const warn = jest
      .spyOn(ServiceLogger.prototype, 'warn')
      .mockImplementation(
        (message: unknown, ...more: unknown[]) => void lines.push([message, ...more].join(' ')),
      );
    const pipeline = await PipelineUnderTest.open(
      { REDIS_URL: `redis://127.0.0.1:${outsider.port}` },
      outsider.client.duplicate(),
    );
    try {
      await pipeline.start('gateway', 'fetcher', 'merger', 'publisher');
      await until(async () => {
        const [, refused = 0] =
          /errorstat_MOVED:count=(\d+)/.exec(await outsider.client.info('errorstats')) ?? [];
        return Number(refused) > 30;
      });
      const reason = 'this is a node of a cluster: REDIS_URL must be redis+cluster://host:6379';
      await until(async () => (await health(pipeline)).startsWith(`degraded: ${reason}; `));
      expect(lines.some((line) => line.includes('MOVED'))).toBe(true);
      expect(lines).toEqual([...new Set(lines)]);
    } finally {
      await pipeline.close();
      warn.mockRestore();
    }
  });

  test.each([
    ['queues', '{feedmesh}', 'gateway'],
    ['events', 'feedmesh:changes:0', 'publisher'],
  ] as const)('loses nothing when the master of the %s dies under load', async (what, key, service) => {
    const pipeline = await PipelineUnderTest.open(
      { REDIS_URL: clusterUrl(nodes), STREAM_REPLICAS: key === '{feedmesh}' ? '0' : '1' },
      new Cluster(nodes.map(({ port }) => ({ host: '127.0.0.1', port }))),
    );
    try {
      const master = await holderOf(nodes, key);
      // With two, one has every event and takes over, and the other has those that come then.
      const replicas = [await addReplica(master, timeout), await addReplica(master, timeout)];
      await pipeline.collect(what);
      await pipeline.start('gateway', 'publisher');
      const load = await begin(pipeline, what);
      nodes = [...nodes.filter((node) => node !== master), ...replicas];
      await master.end();
      await until(async () => (await health(pipeline, service)) !== 'up');
      await letTakeOver(replicas);
      await until(async () => (await health(pipeline, service)) === 'up');
      await load.acknowledges(10);
      await load.endInOrder(() => pipeline.relayed(what));
    } finally {
      await pipeline.close();
    }
  });
});

function clusterUrl(nodes: readonly RedisServer[]): string {
  return `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}`;
}

/** The master of the cluster that holds a key. */
async function holderOf(nodes: readonly RedisServer[], key: string): Promise<RedisServer> {
  for (const node of nodes) {
    const outcome = await node.client.type(key).catch((error: Error) => error.message);
    if (!outcome.startsWith('MOVED')) return node;
  }
  throw new Error(`no node holds ${key}`);
}

/** A node of the cluster that does not hold the queues. */
async function otherNode(nodes: readonly RedisServer[]): Promise<RedisServer> {
  for (const node of nodes) {
    const outcome = await node.client.get('{feedmesh}').catch((error: Error) => error.message);
    if (outcome?.startsWith('MOVED')) return node;
  }
  throw new Error('every node holds the queues');
}

describe('a master that Sentinels watch', () => {
  let group: SentinelGroup;
  let pipeline: PipelineUnderTest;
  beforeAll(async () => {
    group = await startSentinelGroup('mymaster');
    pipeline = await openWatchedPipeline(group);
  });
  afterAll(async () => {
    try {
      await pipeline.close();
    } finally {
      await group.end();
    }
  });

  test.each([
    [
      'as a server',
      () => `redis://127.0.0.1:${group.sentinel.port}`,
      'this is a Sentinel: REDIS_URL must be redis+sentinel://',
    ],
    ['by another name', () => `redis+sentinel://127.0.0.1:${group.sentinel.port}/other`, 'No such master'],
    ['as a cluster', () => `redis+cluster://127.0.0.1:${group.master.port}`, 'cluster support disabled'],
    ['as the replica', () => `redis://127.0.0.1:${group.replicas[0]?.port}`, 'READONLY'],
  ])('that is looked for %s degrades a gateway, and the reason is given', async (_how, url, reason) => {
    const gateway = await startGateway({ REDIS_URL: url() });
    try {
      await until(async () => {
        const response = await gateway.send('GET', '/health/ready');
        return response.status === 200 && (await response.text()).includes(reason);
      });
    } finally {
      await gateway.close();
    }
  });

  test('may die under load: nothing is lost, and health says so until another has taken over', async () => {
    await pipeline.collect('notes');
    await pipeline.start('gateway', 'publisher');
    const load = await begin(pipeline, 'notes');
    await group.master.kill();
    await until(async () => (await health(pipeline)) !== 'up');
    await group.letTakeOver();
    await until(async () => (await health(pipeline)) === 'up');
    await load.acknowledges(10);
    await load.endInOrder(() => pipeline.relayed('notes'));
  });
});

describe('a server behind TLS that wants a certificate, a user and a password', () => {
  let redis: RedisServer;
  let proxy: Awaited<ReturnType<typeof startTlsProxy>>;
  beforeAll(async () => {
    redis = await startRedis('user feedmesh on >s3cret/@ ~* &* +@all -@dangerous +info');
    proxy = await startTlsProxy(redis.port);
  });
  afterAll(async () => {
    await redis.end();
    await proxy.close();
  });

  const certificates = {
    REDIS_TLS_CA: certificateFile('authority'),
    REDIS_TLS_CERT: certificateFile('client'),
    REDIS_TLS_KEY: certificateFile('client-key'),
  };

  test('is used with all of them', async () => {
    const pipeline = await PipelineUnderTest.open(
      { REDIS_URL: `rediss://feedmesh:s3cret%2F%40@127.0.0.1:${proxy.port}/0`, ...certificates },
      redis.client.duplicate(),
    );
    try {
      await pipeline.collect('notes');
      await pipeline.start('gateway', 'publisher');
      await edit(pipeline, 'notes', 'secret');
      await until(async () => (await pipeline.relayed('notes')).length === 1);
      await until(async () => (await health(pipeline)) === 'up');
    } finally {
      await pipeline.close();
    }
  });

  test.each([
    ['a wrong password', 'feedmesh:wrong@127.0.0.1', certificates, 'WRONGPASS'],
    [
      'a certificate for another name',
      '127.0.0.1',
      { ...certificates, REDIS_TLS_SERVERNAME: 'redis.test' },
      'redis.test',
    ],
    ['no authority to trust', '127.0.0.1', {}, 'certificate'],
  ])('with %s is down, and the reason is given', async (_how, host, settings, reason) => {
    const pipeline = await PipelineUnderTest.open(
      { REDIS_URL: `rediss://${host}:${proxy.port}`, ...settings },
      redis.client.duplicate(),
    );
    try {
      await pipeline.start('gateway');
      await until(async () => (await health(pipeline)).includes(reason));
    } finally {
      await pipeline.close();
    }
  });
});
