import { expect, test } from '@jest/globals';
import { peakOfFirstSync } from '../bench/feedmesh/first-sync.ts';
import { builtServices } from '../support/built-services.ts';
import { ownRedisDatabase } from '../support/redis-database.ts';
import { isStress } from '../support/stress.ts';

const items = isStress ? 100_000 : 10_000;

test(`a feed of ${items} items is merged and published, and the fetcher stays below 256 MB`, async () => {
  const peakMemory = await peakOfFirstSync({
    redisUrl: await ownRedisDatabase(),
    mongodbUri: process.env['MONGODB_URI'] ?? '',
    items,
    services: builtServices,
  });
  expect(peakMemory['fetcher']).toBeGreaterThan(10);
  expect(peakMemory['fetcher']).toBeLessThan(256);
}, 600_000);
