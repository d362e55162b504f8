import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { requestPublish } from '#contracts';
import { collectionKey } from '#core';
import { openJobQueue } from '#queue';
import { problemIn, startGateway } from './gateway-under-test.ts';
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
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
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

test('without Redis there are no measurements, rather than wrong ones', async () => {
  const alone = await startGateway({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  try {
    expect(await problemIn(await alone.send('GET', '/metrics'))).toMatchObject({
      status: 503,
      rule: 'unavailable',
    });
  } finally {
    await alone.close();
  }
});
