import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Cluster } from 'ioredis';
import { startCluster, startSentinelGroup } from '../../support/redis-servers.ts';
import { certificateFile, startTlsProxy } from '../../support/tls-proxy.ts';
import type { TlsProxy } from '../../support/tls-proxy.ts';
import { until } from '../../support/until.ts';
import { entry, feed } from '../pipeline/feed.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

const certificates = {
  REDIS_TLS_CA: certificateFile('authority'),
  REDIS_TLS_CERT: certificateFile('client'),
  REDIS_TLS_KEY: certificateFile('client-key'),
};

let ends: (() => Promise<void>)[];
beforeEach(() => {
  ends = [];
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
});

/** TLS in front of a server, until the end of the test. */
async function secured(port: number, takesPlain = false): Promise<TlsProxy> {
  const proxy = await startTlsProxy(port, takesPlain);
  ends.push(() => proxy.close());
  return proxy;
}

/** Expects an item to come from a feed to its event, with all services over TLS. */
async function expectEvents(redisUrl: string, redis: PipelineUnderTest['redis']): Promise<void> {
  const pipeline = await PipelineUnderTest.open({ REDIS_URL: redisUrl, ...certificates }, redis);
  try {
    await pipeline.start('gateway', 'fetcher', 'merger', 'publisher');
    pipeline.feeds.serve('/notes', feed([entry('item', ['1 there'])]));
    await pipeline.subscribe('notes');
    await until(async () => (await pipeline.relayed('notes')).length > 0);
  } finally {
    await pipeline.close();
  }
}

/** Expects a gateway without our certificates to find no Sentinel. */
async function expectRefused(redisUrl: string, redis: PipelineUnderTest['redis']): Promise<void> {
  const pipeline = await PipelineUnderTest.open({ REDIS_URL: redisUrl }, redis);
  try {
    await pipeline.start('gateway');
    const url = `${await pipeline.healthUrl('gateway')}/health/ready`;
    await until(
      async () => (await fetch(url)).text(),
      (text) => text.includes('All sentinels are unreachable'),
    );
  } finally {
    await pipeline.close();
  }
}

test('Sentinels and their master are used over TLS, with our certificate', async () => {
  let master: TlsProxy | undefined;
  // The Sentinel itself comes without TLS, by the address that it gives to clients.
  const announce = async (port: number): Promise<number> => {
    master = await secured(port, true);
    return master.port;
  };
  const group = await startSentinelGroup('mymaster', announce);
  ends.push(() => group.end());
  const sentinel = await secured(group.sentinel.port);
  const url = `rediss+sentinel://127.0.0.1:${sentinel.port}/mymaster`;
  await expectEvents(url, group.master.client.duplicate());
  expect(sentinel.connections).toBeGreaterThan(0);
  expect(master?.connections).toBeGreaterThan(0);
  await expectRefused(url, group.master.client.duplicate());
});

test('the nodes of a cluster are used over TLS, with our certificate', async () => {
  const proxies: TlsProxy[] = [];
  const nodes = await startCluster(2000, async (port) => {
    const proxy = await secured(port);
    proxies.push(proxy);
    return proxy.port;
  });
  ends.push(async () => void (await Promise.all(nodes.map((node) => node.end()))));
  const url = `rediss+cluster://127.0.0.1:${proxies[0]?.port}`;
  const tls = Object.fromEntries(
    Object.entries(certificates).map(([name, file]) => [
      name.replace('REDIS_TLS_', '').toLowerCase(),
      readFileSync(file),
    ]),
  );
  const node = { host: '127.0.0.1', port: proxies[0]?.port ?? 0 };
  await expectEvents(url, new Cluster([node], { redisOptions: { tls } }));
  expect(proxies.filter(({ connections }) => connections > 0).length).toBeGreaterThan(1);
});
