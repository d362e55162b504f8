import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { requestPublish } from '#contracts';
import { collectionKey } from '#core';
import { openJobQueue } from '#queue';
import { gatewayPorts } from '../../../apps/gateway/src/gateway-ports.ts';
import type { GatewayPorts } from '../../../apps/gateway/src/gateway-ports.ts';
import { TenantUsages } from '../../../apps/gateway/src/metrics/tenant-usage.ts';
import { startGateway } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';
import { until } from '../../support/until.ts';

const gateway = useGateway();
beforeAll(async () => {
  // Before the first look at `/metrics`, which tells for a minute what it has read of tenants.
  await gateway.send('PUT', '/v1/tenants/acme', { limits: { items: 7 } });
  await gateway.send('PUT', '/v1/collections/acme.todo');
});

test('/metrics says how much is in each queue and how long the oldest job waits', async () => {
  const queue = openJobQueue({ redisUrl: gateway.redisUrl });
  await queue.send([requestPublish(collectionKey('a')), requestPublish(collectionKey('b'))]);
  await queue.close();
  const response = await gateway.send('GET', '/metrics');
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await response.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE feedmesh_queue_backlog gauge',
      'feedmesh_queue_backlog{queue="publish"} 2',
      'feedmesh_queue_backlog{queue="merge"} 0',
      'feedmesh_queue_jobs{queue="publish",state="waiting"} 2',
      'feedmesh_queue_jobs{queue="publish",state="active"} 0',
      'feedmesh_queue_oldest_seconds{queue="merge"} 0',
      expect.stringMatching(/^feedmesh_queue_oldest_seconds\{queue="publish"\} \d+(\.\d+)?$/),
    ]),
  );
  expect(lines.at(-1)).toBe('');
});

test('without Redis nothing is said of the queues, rather than that they are empty', async () => {
  const alone = await startGateway({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  try {
    const text = await (await alone.send('GET', '/metrics')).text();
    expect(text).not.toContain('feedmesh_queue_');
    expect(text).toContain('process_cpu_seconds_total');
  } finally {
    await alone.close();
  }
});

test('/metrics says how long requests took, by operation', async () => {
  const counts = async (): Promise<number[]> => [
    await countOf('/v1/collections/:collection'),
    await countOf('none'),
  ];
  const before = await counts();
  await gateway.send('GET', '/v1/collections/none');
  await gateway.send('GET', '/nowhere');
  // A response is counted once it is over, which a client may notice a little earlier.
  const [first = 0, second = 0] = before;
  const after = await until(counts, ([own = 0, none = 0]) => own > first && none > second);
  expect(after).toEqual([first + 1, second + 1]);
});

test('/metrics says what tenants have, beside what they may have', async () => {
  for (const id of ['1', '2'])
    await gateway.send('POST', '/v1/collections/acme.todo/items', { id, title: 'Tea' });
  const reader = new TenantUsages(gateway.application.get<GatewayPorts>(gatewayPorts));
  const lines = await until(
    () => reader.text().split('\n'),
    (read) => read.length > 1,
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE feedmesh_tenant_usage gauge',
      'feedmesh_tenant_usage{tenant="acme",limit="collections"} 1',
      'feedmesh_tenant_usage{tenant="acme",limit="items"} 2',
      'feedmesh_tenant_limit{tenant="acme",limit="items"} 7',
      'feedmesh_tenant_limit{tenant="acme",limit="requestsPerSecond"} 500',
    ]),
  );
  expect(lines.at(-1)).toBe('');
  const text = await until(
    async () => (await gateway.send('GET', '/metrics')).text(),
    (read) => read.includes('feedmesh_tenant_usage{'),
  );
  expect(text).toMatch(/^feedmesh_tenant_requests_leased_total\{tenant="acme"\} [1-9]/m);
});

test('of many tenants, 100 are labels', async () => {
  const { tenants } = gateway.store;
  for (let count = 0; count < 105; count += 1)
    await tenants.put(`many-${count}`, { limits: {}, isSuspended: false }, new Date());
  const reader = new TenantUsages(gateway.application.get<GatewayPorts>(gatewayPorts));
  const text = await until(
    () => reader.text(),
    (read) => read !== '',
  );
  expect(new Set(text.match(/(?<=tenant=")[^"]+/g)).size).toBe(100);
});

test('every series of the gateway is in the documentation', async () => {
  const documentation = await readFile('docs/operations.md', 'utf8');
  const text = await (await gateway.send('GET', '/metrics')).text();
  const names = [...text.matchAll(/^# TYPE (feedmesh_\w+)/gm)].map(([, series = '']) => series);
  expect(names).toContain('feedmesh_tenant_usage');
  expect(names.filter((series) => !documentation.includes(`\`${series}\``))).toEqual([]);
});

/** How many requests for a path were refused so far, by this gateway and others of the same process. */
async function countOf(path: string): Promise<number> {
  const series = `feedmesh_http_request_seconds_count{method="GET",path="${path}",status="4xx"} `;
  const lines = (await (await gateway.send('GET', '/metrics')).text()).split('\n');
  return Number(lines.find((line) => line.startsWith(series))?.slice(series.length) ?? 0);
}
