import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { Subscription } from '#core';
import { freePort } from '#databases';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

let pipeline: PipelineUnderTest;
let health: number;
let gateway: number;
/** A server within the network that nobody outside may reach, and the connections to it. */
let inner: Server;
let connections = 0;

beforeAll(async () => {
  inner = createServer((_request, response) => response.end('secret'));
  inner.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  [health, gateway] = [await freePort(), await freePort()];
  pipeline = await PipelineUnderTest.open();
  await pipeline.startWith(
    { PORT: String(gateway), AUTH: 'required', AUTH_ADMIN_KEY: 'k'.repeat(32) },
    'gateway',
  );
});
afterAll(async () => {
  await pipeline?.close();
  inner.close();
});

async function fetched(name: string, url: string) {
  await pipeline.subscribe(name, undefined, { url, adopt: true });
  const { last } = await pipeline.fetch(name);
  const items = await pipeline.store.items.list(collectionKey(name), { limit: 10, deleted: true });
  expect(items).toEqual([]);
  return last;
}

describe('a fetcher with the networks that it has by default', () => {
  beforeAll(() => pipeline.startWith({ FETCH_ALLOW_NETWORKS: '' }, 'fetcher', 'merger'));
  afterAll(() => pipeline.stop('fetcher'));

  test.each([
    ['127.0.0.1'],
    ['localhost'],
    ['2130706433'],
    ['0x7f.1'],
    ['0177.0.0.1'],
    ['127.1'],
    ['[::1]'],
    ['[::ffff:127.0.0.1]'],
    ['0.0.0.0'],
    ['[::]'],
    ['127.0.0.1.'],
    ['①②⑦.0.0.1'],
  ])('connects to no server of its own network by the name %s', async (host) => {
    const { port } = inner.address() as AddressInfo;
    const name = `inner-${Buffer.from(host).toString('hex').slice(0, 40)}`;
    const last = await fetched(name, `http://${host}:${port}/metrics`);
    expect(last).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(last)).not.toContain('secret');
    expect(connections).toBe(0);
  });

  test('says the same of a name of its own network as of one that does not exist', async () => {
    const { port } = inner.address() as AddressInfo;
    const said = async (name: string, host: string, given: Partial<Subscription>) => {
      await pipeline.subscribe(name, undefined, { url: `http://${host}:${port}/`, ...given });
      const { last, nextFetchReason } = await pipeline.fetch(name);
      const { at: _at, ...report } = last ?? {};
      return JSON.stringify([report, nextFetchReason]).replaceAll(`${host}:${port}`, 'HOST');
    };
    const ways: [string, Partial<Subscription>][] = [
      ['feed', { adopt: true }],
      ['page', { discover: true }],
    ];
    for (const [way, given] of ways) {
      const own = await said(`own-${way}`, 'localhost', given);
      expect(own).toContain('HOST was not dialled');
      expect(await said(`missing-${way}`, 'nowhere.invalid', given)).toBe(own);
    }
    expect(connections).toBe(0);
  });
});

describe('a fetcher that may fetch from its own network', () => {
  beforeAll(() => pipeline.startWith({ HEALTH_PORT: String(health) }, 'fetcher'));

  test.each(['/metrics', '/health/ready', '/health/live'])(
    'makes no items of %s, and repeats nothing of it',
    async (path) => {
      const url = `http://127.0.0.1:${health}${path}`;
      const page = await (await fetch(url)).text();
      expect(page).toMatch(/feedmesh_|"status"/);
      const last = await fetched(`own-${path.replaceAll('/', '-')}`, url);
      expect(last).toMatchObject({ outcome: 'failed', rule: expect.stringMatching(/^(xml-|feed-)/) });
      expect(JSON.stringify(last)).not.toMatch(/feedmesh_|"status"|redis|mongodb/i);
    },
  );

  test('reads no metrics of a gateway that needs keys', async () => {
    const url = `http://127.0.0.1:${gateway}/metrics`;
    expect(await fetched('metrics', url)).toMatchObject({ outcome: 'failed', rule: 'unauthorized' });
  });
});
