import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { requestPublish } from '#contracts';
import { collectionKey } from '#core';
import { openJobQueue } from '#queue';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

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
  const before = [await countOf('/v1/collections/:collection'), await countOf('none')];
  await gateway.send('GET', '/v1/collections/none');
  await gateway.send('GET', '/nowhere');
  const after = [await countOf('/v1/collections/:collection'), await countOf('none')];
  expect(after).toEqual(before.map((count) => count + 1));
});

/** How many requests for a path were refused so far, by this gateway and others of the same process. */
async function countOf(path: string): Promise<number> {
  const series = `feedmesh_http_request_seconds_count{method="GET",path="${path}",status="4xx"} `;
  const lines = (await (await gateway.send('GET', '/metrics')).text()).split('\n');
  return Number(lines.find((line) => line.startsWith(series))?.slice(series.length) ?? 0);
}
