import { expect, test } from '@jest/globals';
import { freePort } from '#database-server';
import { startGateway } from './gateway-under-test.ts';

test('a write is acknowledged, pending and published later while Redis is away, and health says so', async () => {
  const gateway = await startGateway(8, { REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  try {
    expect((await gateway.send('PUT', '/v1/collections/offline')).status).toBe(201);
    expect((await gateway.send('POST', '/v1/collections/offline/items', { id: 'a', title: 'Written' })).status).toBe(201);
    expect((await gateway.send('PUT', '/v1/collections/offline/subscriptions/s', { url: 'https://a.example/' })).status).toBe(201);
    expect((await gateway.store.items.pending('offline', 10)).map(({ id }) => id)).toEqual(['a']);
    expect((await gateway.send('GET', '/health/live')).status).toBe(200);
    expect((await gateway.send('GET', '/health/ready')).status).toBe(503);
  } finally {
    await gateway.close();
  }
});
